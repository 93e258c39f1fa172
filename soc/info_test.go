package soc_test

import (
	"strings"
	"testing"

	"socsim/soc"
)

// The generated header has the names firmware uses.
func TestInfoHeader(t *testing.T) {
	lines := map[string]string{}
	for line := range strings.Lines(soc.InfoHeader()) {
		if f := strings.Fields(line); len(f) > 2 && f[0] == "#define" {
			lines[f[1]] = f[2]
		}
	}
	for name, want := range map[string]string{
		"SOCSIM_INFO_BASE": "0x10001000", "SOCSIM_INFO_MAGIC": "0x00", "SOCSIM_INFO_VERSION": "0x04", "SOCSIM_INFO_HASH_XOF": "0x08",
		"SOCSIM_INFO_HASH_COUPLING": "0x0c", "SOCSIM_INFO_HASH_BASE": "0x10", "SOCSIM_INFO_CLOCK_HZ": "0x14",
		"SOCSIM_INFO_MAGIC_VALUE": "0x434f5332",
		"SOCSIM_CLINT_BASE":       "0x02000000", "SOCSIM_CLINT_MTIME": "0xbff8", "SOCSIM_CLINT_MTIMECMP": "0x4000", "SOCSIM_CLINT_MSIP": "0x00",
		"SOCSIM_UART_BASE": "0x10000000", "SOCSIM_UART_THR": "0x00", "SOCSIM_UART_LSR": "0x05",
	} {
		if lines[name] != want {
			t.Errorf("%s is %q, want %s", name, lines[name], want)
		}
	}
	page := soc.InfoMarkdown()
	for _, want := range []string{"## SoC info\n", "| 0x10 | HASH_BASE | 4 | R | 0x0 |", "## Timer (CLINT)\n", "Window at 0x02000000"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
}

// What firmware reads from the device.
func TestInfo(t *testing.T) {
	for _, c := range []struct {
		accel, hash, clock string
		want               [6]uint32
	}{
		{"none", "", "", [6]uint32{0x434f5332, 1, 1, 0, 0, 100_000_000}},
		{"none", "shake12", "", [6]uint32{0x434f5332, 1, 2, 0, 0, 100_000_000}},
		{"none", "ascon128", "", [6]uint32{0x434f5332, 1, 5, 0, 0, 100_000_000}},
		{"shake-fifo", "", "5000", [6]uint32{0x434f5332, 1, 1, 2, 0x1100_0000, 5000}},
		{"ascon8-lsu", "", "", [6]uint32{0x434f5332, 1, 4, 3, 0x1200_0000, 100_000_000}},
	} {
		o := start(t, "probe")
		if c.clock != "" {
			o = start(t, "probe", "clock_hz="+c.clock)
		}
		o.Accel, o.Hash = c.accel, c.hash
		o.Dumps = []soc.Dump{{Symbol: "probed"}}
		r := run(t, o)
		for i, want := range c.want {
			if got := word(t, r, "probed", i); got != want {
				t.Errorf("%s %s: register %d is 0x%x, want 0x%x", c.accel, c.hash, i, got, want)
			}
		}
	}
}
