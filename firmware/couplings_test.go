package firmware_test

import (
	"fmt"
	"strings"
	"testing"

	"socsim/accel"
	"socsim/soc"
	"socsim/soc/platform"
)

// with returns the default platform with settings "key=value", blanks between.
func with(t *testing.T, settings string) *platform.Platform {
	t.Helper()
	p, err := platform.Load("default")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range strings.Fields(settings) {
		key, value, _ := strings.Cut(s, "=")
		if err := p.Set("accel."+key, value); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// The drivers of lsux and dma with every n, both ways to wait, on units of other
// sizes and speeds: what is hashed must not depend on them, and nor must the number
// of words that move, of permutations, and of transfers.
func TestDrivers(t *testing.T) {
	const fast, slow = "cycles_per_round=0 startup=0 bus=obi", "cycles_per_round=9 startup=100 bus=3/5/7"
	tests := []struct {
		accel, args, settings string
		quick                 bool
	}{
		{"shake-lsux", "-p 192f -op keygen", "", false},
		{"shake-lsux", "-p 256f -op keygen", "", false},
		{"shake12-lsux", "-p 192f -variant r3", "", false},
		{"ascon-lsux", "-p 192f -op keygen", "", false},
		{"shake-lsux", "-op keygen", "input_depth=1 output_depth=1", false},
		{"shake12-lsux", "-op verify", "input_depth=2 output_depth=2 cycles_per_round=0 startup=0", true},
		{"ascon8-lsux", "-op keygen", "input_depth=1 output_depth=1 cycles_per_round=9 startup=100", false},
		{"shake-dma", "-op keygen -wait poll", "", true},
		{"shake-dma", "-op keygen -wait wfi", "", true},
		{"shake-dma", "-p 192f -op keygen -wait wfi", "", false},
		{"shake12-dma", "-p 256f -op keygen -wait poll", "", false},
		{"shake12-dma", "-p 256f -variant r3 -wait wfi", "", false},
		{"ascon128-dma", "-wait wfi", "", false},
		{"ascon8-dma", "-p 192f -op verify -wait wfi", "", false},
		{"shake-dma", "-op verify -wait poll", fast, false},
		{"shake-dma", "-op verify -wait wfi", fast, true},
		{"ascon-dma", "-op keygen -wait poll", fast + " input_depth=2 output_depth=2", false},
		{"ascon-dma", "-op keygen -wait wfi", fast + " input_depth=1 output_depth=1", false},
		{"shake-dma", "-op keygen -wait poll", slow + " input_depth=1 output_depth=1", false},
		{"shake-dma", "-op keygen -wait wfi", slow + " input_depth=2 output_depth=2", false},
	}
	for _, tt := range tests {
		t.Run(tt.accel+" "+tt.args+" "+tt.settings, func(t *testing.T) {
			if testing.Short() && !tt.quick {
				t.Skip("takes seconds")
			}
			t.Parallel()
			r := start(t, soc.Options{Name: "sphincs.elf", Accel: tt.accel, Platform: with(t, tt.settings),
				Args: append(strings.Fields(tt.args), "-nodigest")}, nil)
			if err := r.right(); err != nil {
				t.Fatal(err)
			}
			for i, g := range r.Regions {
				if got, want := g.Accel.Permutations, needed(r.outcomes[i]); got != want {
					t.Errorf("%s: %d permutations, the reference did %d", g.Name, got, want)
				}
				if asleep := g.Ledger.Sleep > 0; asleep != strings.Contains(tt.args, "wfi") || g.Ledger.Trap > 0 {
					t.Errorf("%s: %d cycles asleep, %d in traps", g.Name, g.Ledger.Sleep, g.Ledger.Trap)
				}
				// In key generation all is whole messages: one transfer for each, and the core moves nothing.
				dma := strings.HasSuffix(tt.accel, "-dma")
				if moved := g.Ledger.MoveIn > 0 && g.Ledger.MoveOut > 0; moved == dma && g.Name == "keygen" {
					t.Errorf("%s: the core moved words in for %d cycles, out for %d", g.Name, g.Ledger.MoveIn, g.Ledger.MoveOut)
				}
				if g.Ledger.Control == 0 || g.Ledger.Sum() != g.Cycles {
					t.Errorf("%s: %+v of %d cycles", g.Name, g.Ledger, g.Cycles)
				}
				for _, d := range r.Devices {
					if d.Accel != nil && dma && len(r.Regions) == 1 && g.Name == "keygen" && d.Accel.Transfers != g.Accel.Messages {
						t.Errorf("%d transfers for %d messages", d.Accel.Transfers, g.Accel.Messages)
					}
				}
			}
		})
	}
}

// A message in pieces, message and output anywhere, on every accelerator and in
// software: in pieces shorter than a word, that end within one, that are moved by the
// core and that the DMA engine moves.
func TestPieces(t *testing.T) {
	t.Parallel()
	type system struct{ accel, hash, args string }
	systems := []system{
		{"shake-dma", "", "-wait wfi"}, {"ascon8-dma", "", "-wait wfi"},
		{"shake-ram", "", "-ram copy"}, {"none", "shake", ""}, {"none", "ascon", ""},
	}
	for _, e := range accel.List() {
		if e.Works && e.Name != "none" {
			systems = append(systems, system{e.Name, "", ""})
		}
	}
	jobs := []struct{ in, out, piece int }{
		{10, 9, 1}, {33, 35, 2}, {40, 41, 3}, {301, 203, 7}, {272, 136, 17}, {100, 50, 47}, {401, 403, 48}, {290, 280, 51}, {300, 290, 52},
		{500, 500, 101}, {136, 136, 136}, {137, 138, 65536}, {0, 21, 5},
	}
	n := 0
	for _, s := range systems {
		for _, j := range jobs {
			for align := range 4 {
				if n++; n%7 != 0 || testing.Short() && n%56 != 0 {
					continue
				}
				r := start(t, soc.Options{Name: "hash.elf", Accel: s.accel, Hash: s.hash, Args: append(strings.Fields(s.args),
					"-in", fmt.Sprint(j.in), "-out", fmt.Sprint(j.out), "-piece", fmt.Sprint(j.piece), "-align", fmt.Sprint(align), "-k", "2")}, nil)
				if err := r.right(); err != nil {
					t.Errorf("%s %s %s, %+v, %d bytes behind a word: %v", s.accel, s.hash, s.args, j, align, err)
				}
			}
		}
	}
}

// A transfer may end before the core has cleared the interrupt of the one before,
// while it does, before it asks whether one still runs, or later: it must never sleep
// for good. What comes when depends on the waits of the bus.
func TestSleepRace(t *testing.T) {
	var awake, asleep bool
	for wait := range 40 {
		if testing.Short() && wait%8 != 0 {
			continue
		}
		for _, args := range []string{"-in 4 -out 4 -k 3 -wait wfi", "-in 64 -out 16 -k 3 -wait wfi"} {
			r := start(t, soc.Options{Name: "hash.elf", Accel: "shake-dma", Args: strings.Fields(args),
				Platform: with(t, fmt.Sprintf("cycles_per_round=0 startup=0 bus=%d/%d/0", wait/2, wait-wait/2))}, nil)
			if err := r.right(); err != nil {
				t.Errorf("%s, %d cycles of bus wait: %v", args, wait, err)
				continue
			}
			if r.Regions[0].Ledger.Sleep > 0 {
				asleep = true
			} else {
				awake = true
			}
		}
	}
	if !awake || !asleep {
		t.Errorf("some transfers end before the core sleeps: %v; some later: %v; want both", awake, asleep)
	}
}

// What is longer than a transfer may be, and how often the core sets one up.
func TestTransfers(t *testing.T) {
	tests := []struct {
		args      string
		transfers uint64
		reason    string
	}{
		{"-in 64 -out 16", 1, "a whole message"},
		{"-in 65532 -out 32", 1, "the longest whole message"},
		{"-in 65536 -out 32", 3, "two of input, one of output"},
		{"-in 65536 -out 65536", 4, "two each way"},
		{"-in 65531 -out 65533", 2, "one each way, and the rest by the core"},
		{"-in 64 -out 16 -align 1", 0, "the engine moves aligned words"},
		{"-in 144 -out 137 -piece 48", 6, "pieces that pay"},
		{"-in 46 -out 15 -piece 60", 0, "pieces that do not"},
		{"-in 96 -out 64 -piece 50", 2, "50 and 46 bytes in, of which the second begins within a word; 50 out"},
	}
	for i, tt := range tests {
		r := start(t, soc.Options{Name: "hash.elf", Accel: []string{"shake-dma", "ascon-dma"}[i%2],
			Args: append(strings.Fields(tt.args), "-wait", []string{"poll", "wfi"}[i/2%2])}, nil)
		if err := r.right(); err != nil {
			t.Errorf("%s: %v", tt.args, err)
			continue
		}
		for _, d := range r.Devices {
			if d.Accel != nil && d.Accel.Transfers != tt.transfers {
				t.Errorf("%s: %d transfers, want %d: %s", tt.args, d.Accel.Transfers, tt.transfers, tt.reason)
			}
		}
	}
}
