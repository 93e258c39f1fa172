package accel

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"
)

// The bits the engine sets and reads are those of the table.
func TestTableBits(t *testing.T) {
	tests := map[string]uint32{
		"CTRL.INIT":        controlInit,
		"LAST.TAIL":        1<<lastBytesShift - 1,
		"LAST.BYTES":       lastBytesMask << lastBytesShift,
		"STATUS.BUSY":      statusBusy,
		"STATUS.ABSORBING": statusAbsorbing,
		"STATUS.SQUEEZING": statusSqueezing,
		"STATUS.IN_EMPTY":  statusInEmpty,
		"STATUS.IN_FULL":   statusInFull,
		"STATUS.OUT_VALID": statusOutValid,
		"STATUS.ERROR":     statusError,
		"STATUS.IN_WORDS":  statusCountMax << statusInShift,
		"STATUS.OUT_WORDS": statusCountMax << statusOutShift,
		"IRQ.DONE":         irqDone,
		"IRQ_ENABLE.DONE":  irqDone,
		"ID.XOF":           0xff,
		"ID.COUPLING":      0xff << idCouplingShift,
		"ID.DEPTH":         0xffff << idDepthShift,
		"ID.WORDS":         0xffff << idDepthShift,
		"CTRL.START":       controlStart,
		"CTRL.ROUNDS":      controlRoundsMax << controlRounds,
		"ACCESS.COPY":      accessCopy,
	}
	perUnit := map[string]map[string]uint32{ // where units differ
		"state RAM": {"STATUS.BUSY": ramStatusBusy, "STATUS.DONE": ramStatusDone},
		"DMA engine": {"CTRL.START": dmaControlStart, "CTRL.INIT": dmaControlInit, "CTRL.LAST": dmaControlLast,
			"LENGTH.IN": lengthMax, "LENGTH.OUT": lengthMax << lengthOut, "STATUS.BUSY": dmaStatusBusy, "STATUS.DONE": dmaStatusDone},
	}
	seen := map[string]bool{}
	for _, d := range documented {
		for _, r := range d.registers {
			var used uint32
			for _, f := range r.Fields {
				name := r.Name + "." + f.Name
				want, ok := perUnit[d.title][name]
				if !ok {
					want, ok = tests[name]
					seen[name] = true
				}
				if !ok || f.Mask() != want {
					t.Errorf("%s, %s: table has %#x, unit %#x", d.title, name, f.Mask(), want)
				}
				if used&f.Mask() != 0 || f.Low+f.Bits > 32 || bits.OnesCount32(f.Mask()) != int(f.Bits) {
					t.Errorf("%s, %s: bits %d+%d overlap or do not fit", d.title, name, f.Low, f.Bits)
				}
				used |= f.Mask()
				if f.Text == "" {
					t.Errorf("%s, %s: no text", d.title, name)
				}
			}
			if r.Text == "" {
				t.Errorf("%s, %s: no text", d.title, r.Name)
			}
		}
	}
	if len(seen) != len(tests) {
		t.Errorf("%d fields in the tables, %d in the units", len(seen), len(tests))
	}
}

// Every word of the window is a register or not, as the memory map has it.
func TestDispatch(t *testing.T) {
	want := map[uint32]string{0x00: "CTRL", 0x04: "MODE", 0x08: "OUTLEN", 0x0c: "LAST", 0x10: "STATUS",
		0x14: "IRQ", 0x18: "IRQ_ENABLE", 0x1c: "ID", 0x20: "DIN", 0x24: "DOUT"}
	for offset := uint32(0x40); offset < 0x80; offset += 4 {
		want[offset] = "DIN"
		want[offset+0x40] = "DOUT"
	}
	wantRAM := map[uint32]string{0x00: "CTRL", 0x04: "ACCESS", 0x10: "STATUS", 0x14: "IRQ", 0x18: "IRQ_ENABLE", 0x1c: "ID"}
	for offset := uint32(0x100); offset < 0x100+4*50; offset += 4 {
		wantRAM[offset] = "STATE"
	}
	wantDMA := map[uint32]string{0x00: "CTRL", 0x04: "SRC", 0x08: "DST", 0x0c: "LENGTH", 0x10: "STATUS", 0x14: "IRQ", 0x18: "IRQ_ENABLE", 0x1c: "ID"}
	for table, want := range map[*Table]map[uint32]string{fifoTable: want, ramTable: wantRAM, dmaTable: wantDMA} {
		for offset := uint32(0); offset < Size; offset += 4 {
			name := ""
			if r := table.at(offset); r != nil {
				name = r.Name
			}
			if name != want[offset] {
				t.Errorf("offset %#x: %q, want %q", offset, name, want[offset])
			}
		}
	}
}

func TestHeader(t *testing.T) {
	h := Header("#define SOCSIM_INFO_BASE 0x10001000\n")
	values := map[string]string{}
	for line := range strings.Lines(h) {
		var name, value string
		if n, _ := fmt.Sscanf(line, "#define %s %s", &name, &value); n == 2 {
			if _, twice := values[name]; twice {
				t.Errorf("%s defined twice", name)
			}
			values[name] = value
		}
	}
	for name, want := range map[string]string{
		"SOCSIM_HASH_BASE": "0x11000000", "SOCSIM_HASH_LSU_BASE": "0x12000000", "SOCSIM_HASH_LINE": "16",
		"SOCSIM_HASH_CTRL": "0x00", "SOCSIM_HASH_CTRL_INIT": "0x1", "SOCSIM_HASH_MODE": "0x04",
		"SOCSIM_HASH_MODE_SHAKE128": "0", "SOCSIM_HASH_MODE_SHA3_512": "3", "SOCSIM_HASH_OUTLEN": "0x08",
		"SOCSIM_HASH_LAST": "0x0c", "SOCSIM_HASH_LAST_BYTES_SHIFT": "24", "SOCSIM_HASH_STATUS": "0x10",
		"SOCSIM_HASH_STATUS_BUSY": "0x1", "SOCSIM_HASH_STATUS_OUT_VALID": "0x20", "SOCSIM_HASH_STATUS_IN_WORDS": "0xff00",
		"SOCSIM_HASH_STATUS_IN_WORDS_SHIFT": "8", "SOCSIM_HASH_IRQ": "0x14", "SOCSIM_HASH_IRQ_DONE": "0x1",
		"SOCSIM_HASH_IRQ_ENABLE": "0x18", "SOCSIM_HASH_ID": "0x1c", "SOCSIM_HASH_DIN": "0x20", "SOCSIM_HASH_DIN_ALIAS": "0x40",
		"SOCSIM_HASH_DIN_ALIAS_WORDS": "16", "SOCSIM_HASH_DOUT": "0x24", "SOCSIM_HASH_DOUT_ALIAS": "0x80",
		"SOCSIM_HASH_RAM_CTRL_START": "0x2", "SOCSIM_HASH_RAM_CTRL_ROUNDS_SHIFT": "8", "SOCSIM_HASH_RAM_ACCESS_COPY": "0x1",
		"SOCSIM_HASH_RAM_STATUS_DONE": "0x2", "SOCSIM_HASH_RAM_STATE": "0x100", "SOCSIM_HASH_RAM_STATE_WORDS": "50",
		"SOCSIM_DMA_BASE": "0x13000000", "SOCSIM_DMA_LINE": "17", "SOCSIM_DMA_CTRL": "0x00", "SOCSIM_DMA_CTRL_START": "0x1",
		"SOCSIM_DMA_CTRL_INIT": "0x2", "SOCSIM_DMA_CTRL_LAST": "0x4", "SOCSIM_DMA_SRC": "0x04", "SOCSIM_DMA_DST": "0x08",
		"SOCSIM_DMA_LENGTH": "0x0c", "SOCSIM_DMA_LENGTH_OUT_SHIFT": "16", "SOCSIM_DMA_STATUS_BUSY": "0x1", "SOCSIM_DMA_STATUS_DONE": "0x2",
		"SOCSIM_XOF_SHAKE": "1", "SOCSIM_XOF_ASCON128": "5", "SOCSIM_COUPLING_NONE": "0", "SOCSIM_COUPLING_FIFO": "2",
		"SOCSIM_COUPLING_LSUX": "4", "SOCSIM_COUPLING_DMA": "7", "SOCSIM_INFO_BASE": "0x10001000",
	} {
		if values[name] != want {
			t.Errorf("%s is %q, want %q", name, values[name], want)
		}
	}
	if !strings.HasPrefix(h, "/* Code generated ") || !strings.Contains(h, "DO NOT EDIT") {
		t.Errorf("the header does not say that it is generated:\n%.200s", h)
	}
	if !strings.HasSuffix(h, "#endif\n") || strings.Count(h, "#ifndef") != 1 {
		t.Errorf("the guard does not go round the header")
	}
	if h != Header("#define SOCSIM_INFO_BASE 0x10001000\n") {
		t.Errorf("two calls give different headers")
	}
}

// The page has a row for each register and each field, and tables that line up.
func TestMarkdown(t *testing.T) {
	page := Markdown()
	for _, r := range slices.Concat(Registers, RAMRegisters, DMARegisters) {
		if !strings.Contains(page, fmt.Sprintf("| 0x%02x | %s | %s |", r.Offset, r.Name, r.Access)) {
			t.Errorf("no row for %s", r.Name)
		}
		for _, f := range r.Fields {
			if !strings.Contains(page, "| "+f.Name+" | "+f.Text+" |") {
				t.Errorf("no row for %s.%s", r.Name, f.Name)
			}
		}
	}
	columns := 0
	for line := range strings.Lines(page) {
		if !strings.HasPrefix(line, "|") {
			columns = 0
			continue
		}
		if n := strings.Count(line, "|"); columns != 0 && n != columns {
			t.Errorf("row with %d bars in a table of %d: %s", n, columns, line)
		}
		columns = strings.Count(line, "|")
	}
}
