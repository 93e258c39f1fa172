package firmware_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/sha3"

	"socsim/accel"
	"socsim/firmware"
	"socsim/soc"
	"socsim/soc/platform"
)

// run is what a program did.
type run struct {
	*soc.Result
	out, errors string
	outcomes    []firmware.Outcome
}

// start runs a built-in program. change, if not nil, is called with the recorded
// operations before they are checked.
func start(t *testing.T, o soc.Options, change func([]firmware.Operation)) run {
	t.Helper()
	var err error
	if o.ELF == nil {
		if o.ELF, err = firmware.ELF(o.Name); err != nil {
			t.Fatal(err)
		}
	}
	var r run
	var out, errs bytes.Buffer
	o.Console, o.Stderr = &out, &errs
	o.RAM = soc.RAMInit{Random: true, Seed: 1} // nothing may count on cleared memory
	o.Verify = func(ram []byte, base uint32, symbol func(string) (uint32, bool)) (*bool, []string) {
		addr, ok := symbol(firmware.RecordSymbol)
		if !ok {
			return nil, []string{"no record"}
		}
		ops, err := firmware.ParseRecord(ram, base, addr)
		if err != nil {
			return nil, []string{err.Error()}
		}
		if change != nil {
			change(ops)
		}
		r.outcomes = append(r.outcomes, firmware.Verify(ops).Outcomes...)
		return firmware.Verdict{Outcomes: r.outcomes}.Verified(), nil
	}
	s, err := soc.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Result, err = s.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	r.out, r.errors = out.String(), errs.String()
	return r
}

// right reports whether the run ended well and the reference agrees.
func (r run) right() error {
	if r.Exit.Reason != soc.Semihosting || r.Exit.Code != 0 || !strings.HasSuffix(r.out, "[PASS]\n") {
		return fmt.Errorf("ended with %s, code %d, printing\n%s%s", r.Exit.Reason, r.Exit.Code, r.out, r.errors)
	}
	if r.Verified == nil || !*r.Verified {
		return fmt.Errorf("not verified: %+v %q", r.outcomes, r.Findings)
	}
	return nil
}

// Every set: the reference gets the same keys, signatures and verdicts, and the
// accelerator did exactly the permutations the reference did.
func TestSets(t *testing.T) {
	tests := []struct {
		set, variant, accel string
		quick               bool
	}{
		{"128f", "fips205", "shake-fifo", true},
		{"128f", "r3", "shake-fifo", false},
		{"192f", "fips205", "shake-fifo", false},
		{"256f", "fips205", "shake-fifo", false},
		{"256f", "r3", "shake-fifo", false},
		{"128s", "fips205", "shake-fifo", false},
		{"192s", "fips205", "shake-fifo", false},
		{"256s", "fips205", "shake-fifo", false},
		{"192f", "fips205", "ascon128-lsu", false},
		{"256f", "r3", "ascon-fifo", false},
		{"128s", "fips205", "ascon8-lsu", false},
		{"128f", "r3", "shake-reg", true},
		{"192f", "fips205", "shake-regx", false},
		{"256f", "fips205", "shake12-reg", false},
		{"192f", "fips205", "ascon128-reg", false},
		{"256f", "r3", "ascon8-reg", false},
	}
	for _, tt := range tests {
		t.Run(tt.set+"-"+tt.variant+"-"+tt.accel, func(t *testing.T) {
			if testing.Short() && !tt.quick {
				t.Skip("takes seconds")
			}
			t.Parallel()
			r := start(t, soc.Options{
				Name: "sphincs.elf", Accel: tt.accel,
				Args: []string{"-p", tt.set, "-variant", tt.variant, "-nodigest"},
			}, nil)
			if err := r.right(); err != nil {
				t.Fatal(err)
			}
			if len(r.outcomes) != 3 || len(r.Regions) != 3 {
				t.Fatalf("%d operations in the record, %d regions, want 3 of each", len(r.outcomes), len(r.Regions))
			}
			for i, g := range r.Regions {
				got, want := g.Accel.Permutations, needed(r.outcomes[i])
				if got != want {
					t.Errorf("%s: %d permutations, the reference did %d", r.outcomes[i].Name, got, want)
				}
			}
		})
	}
}

// unit returns the hash of the accelerator of that name.
func unit(t *testing.T, name string) *accel.XOF {
	t.Helper()
	return config(t, name).XOF
}

func config(t *testing.T, name string) accel.Config {
	t.Helper()
	c, err := accel.Parse(name)
	if err != nil || c.XOF == nil {
		t.Fatalf("accelerator %s: %v", name, err)
	}
	return c
}

// needed returns how many permutations a unit runs for what the reference did.
func needed(o firmware.Outcome) uint64 { return o.Permutations - o.Initial }

// Every accelerator that can be built does what the reference does, with as many
// permutations, and every cycle of an operation is booked once. Words at the
// load/store unit wait for no bus.
func TestAccelerators(t *testing.T) {
	for _, e := range accel.List() {
		if !e.Works || e.Name == "none" {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			if testing.Short() && e.Name != "ascon8-lsu" {
				t.Skip("takes seconds")
			}
			t.Parallel()
			r := start(t, soc.Options{Name: "sphincs.elf", Accel: e.Name, Args: []string{"-nodigest"}}, nil)
			if err := r.right(); err != nil {
				t.Fatal(err)
			}
			c := config(t, e.Name)
			x := c.XOF
			if len(r.outcomes) != 3 || len(r.Regions) != 3 {
				t.Fatalf("%d operations in the record, %d regions, want 3 of each", len(r.outcomes), len(r.Regions))
			}
			for i, g := range r.Regions {
				o := r.outcomes[i]
				if got, want := g.Accel.Permutations, needed(o); got != want {
					t.Errorf("%s: %d permutations, the reference needs %d", o.Name, got, want)
				}
				if g.Ledger.Sum() != g.Cycles {
					t.Errorf("%s: the ledger adds up to %d of %d cycles", o.Name, g.Ledger.Sum(), g.Cycles)
				}
				if own := x != accel.SHAKE; strings.Contains(o.Name, "own instance") != own {
					t.Errorf("%s: is it an instance of our own? %v", o.Name, own)
				}
			}
			if r.Ledger.Sum() != r.Cycles {
				t.Errorf("the ledger adds up to %d of %d cycles", r.Ledger.Sum(), r.Cycles)
			}
			if own := x != accel.SHAKE; strings.Contains(r.out, "[OWN] ") != own {
				t.Errorf("output\n%s", r.out)
			}
			for _, d := range r.Devices {
				if wait := d.Loads.BusWait + d.Stores.BusWait; d.Accel != nil && (wait == 0) != (c.AtLSU() || c.InCore()) {
					t.Errorf("%d cycles of bus wait over %s", wait, d.Bus)
				}
			}
		})
	}
}

// The other ways to use a state RAM: the state copied for every permutation, and
// the core asleep while one runs.
func TestRAM(t *testing.T) {
	tests := []struct {
		accel, args string
		quick       bool
	}{
		{"shake-ram", "-ram block -wait poll -op keygen", true},
		{"shake-ram", "-ram copy", false},
		{"shake-ram", "-wait wfi -op keygen", true},
		{"shake12-ram", "-ram copy -wait wfi -op keygen", false},
		{"ascon-ram", "-ram copy -op keygen", false},
		{"ascon8-ram", "-ram copy -wait wfi -op keygen", false},
		{"ascon128-ram", "-wait wfi -op keygen", false},
		{"shake-ram", "-ram copy -op keygen -p 256s", false},
		{"shake-ram", "-op keygen -p 192s", false},
	}
	for _, tt := range tests {
		t.Run(tt.accel+" "+tt.args, func(t *testing.T) {
			if testing.Short() && !tt.quick {
				t.Skip("takes seconds")
			}
			t.Parallel()
			r := start(t, soc.Options{Name: "sphincs.elf", Accel: tt.accel, Args: append(strings.Fields(tt.args), "-nodigest")}, nil)
			if err := r.right(); err != nil {
				t.Fatal(err)
			}
			for i, g := range r.Regions {
				if got, want := g.Accel.Permutations, needed(r.outcomes[i]); got != want {
					t.Errorf("%s: %d permutations, the reference did %d", g.Name, got, want)
				}
				state := map[bool]uint64{true: 50, false: 10}[strings.HasPrefix(tt.accel, "shake")]
				if whole := g.Accel.WordsIn == state*g.Accel.Permutations && g.Accel.WordsOut == g.Accel.WordsIn; whole != strings.Contains(tt.args, "copy") {
					t.Errorf("%s: %d words in and %d out for %d permutations", g.Name, g.Accel.WordsIn, g.Accel.WordsOut, g.Accel.Permutations)
				}
				if asleep := g.Ledger.Sleep > 0; asleep != strings.Contains(tt.args, "wfi") || g.Ledger.Trap > 0 {
					t.Errorf("%s: %d cycles asleep, %d in traps", g.Name, g.Ledger.Sleep, g.Ledger.Trap)
				}
				if g.Ledger.MoveIn == 0 || g.Ledger.Wait == 0 || g.Ledger.MoveOut == 0 || g.Ledger.Control == 0 || g.Ledger.Sum() != g.Cycles || g.Accel.OverlapCycles != 0 {
					t.Errorf("%s: %+v of %d cycles, %d of overlap", g.Name, g.Ledger, g.Cycles, g.Accel.OverlapCycles)
				}
			}
		})
	}
}

// The window at the load/store unit costs what a bus without any wait costs.
func TestLSUHasNoWaits(t *testing.T) {
	for _, hash := range []string{"shake", "ascon"} {
		var cycles [2]uint64
		for i, coupling := range []string{"-lsu", "-fifo"} {
			p, err := platform.Load("default")
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Set("accel.bus", "obi"); err != nil {
				t.Fatal(err)
			}
			r := start(t, soc.Options{Name: "hash.elf", Accel: hash + coupling, Platform: p, Args: []string{"-in", "300", "-out", "40"}}, nil)
			if err := r.right(); err != nil {
				t.Fatal(err)
			}
			cycles[i] = r.Regions[0].Cycles
		}
		if cycles[0] != cycles[1] {
			t.Errorf("%s: %d cycles at the load/store unit, %d over obi", hash, cycles[0], cycles[1])
		}
	}
}

// Without an accelerator the same keys, with every hash. Over Ascon the software
// makes exactly the permutations a unit would.
func TestSoftware(t *testing.T) {
	for _, x := range accel.XOFs {
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			args := []string{"-op", "keygen", "-nodigest"}
			if !testing.Short() && x == accel.Ascon8 {
				args = []string{"-nodigest"}
			}
			r := start(t, soc.Options{Name: "sphincs.elf", Accel: "none", Hash: x.Name, Args: args, Regions: []string{"ascon_p12", "ascon_p8"}}, nil)
			if err := r.right(); err != nil {
				t.Fatal(err)
			}
			if want := "[CFG] sphincs 128f fips205 " + x.Name + " soft\n"; !strings.HasPrefix(r.out, want) {
				t.Errorf("no %q in\n%s", want, r.out)
			}
			if x.Modes[0].Stored == 0 {
				return
			}
			var calls uint64
			for _, g := range r.Regions {
				if strings.HasPrefix(g.Name, "ascon_p") {
					calls += g.Calls
				}
			}
			device := start(t, soc.Options{Name: "sphincs.elf", Accel: x.Name + "-lsu", Args: args}, nil)
			var want uint64
			for _, g := range device.Regions {
				want += g.Accel.Permutations
			}
			if calls != want {
				t.Errorf("%d permutations in software, %d in a unit", calls, want)
			}
		})
	}
}

// Software Ascon, in cycles on this core: see hal/asconp.S. A round is 117 cycles;
// loading and storing the state, and the return, are what comes on top. Published
// RV32I assembly takes about 1,500 for 12 rounds.
func TestSoftwareAscon(t *testing.T) {
	const round, frame = 117, 24
	r := start(t, soc.Options{Name: "hash.elf", Accel: "none", Hash: "ascon8", Args: []string{"-k", "9"}, Regions: []string{"ascon_p12", "ascon_p8"}}, nil)
	if err := r.right(); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, g := range r.Regions {
		want := map[string]struct{ calls, rounds uint64 }{"ascon_p12": {9, 12}, "ascon_p8": {9 * 9, 8}}[g.Name]
		if want.calls == 0 {
			continue
		}
		found++
		if g.Calls != want.calls || g.Cycles < g.Calls*want.rounds*round || g.Cycles > g.Calls*(want.rounds*round+frame+2) {
			t.Errorf("%s: %d calls in %d cycles, want %d of %d to %d", g.Name, g.Calls, g.Cycles, want.calls, want.rounds*round, want.rounds*round+frame+2)
		}
	}
	if found != 2 {
		t.Errorf("regions %+v", r.Regions)
	}
}

// The figure to compare other software with, in cycles on this core: see
// hal/keccakf1600.S. Published RV32IM assembly needs 12,700 instructions or more.
func TestSoftwareKeccak(t *testing.T) {
	r := start(t, soc.Options{Name: "hash.elf", Accel: "none", Args: []string{"-k", "9"}, Regions: []string{"keccak_p1600"}}, nil)
	if err := r.right(); err != nil {
		t.Fatal(err)
	}
	for _, g := range r.Regions {
		if g.Name != "keccak_p1600" {
			continue
		}
		// 9 messages, and one block for the digest of the output.
		if g.Calls != 10 || g.Cycles != 10*11464 {
			t.Errorf("%d calls in %d cycles, want 10 of 11,464", g.Calls, g.Cycles)
		}
	}
}

// Lengths around words, lanes and blocks, both ways to hash.
func TestHash(t *testing.T) {
	t.Parallel()
	lengths := []struct{ in, out int }{
		{0, 32}, {1, 7}, {2, 1}, {3, 4}, {4, 5}, {5, 6}, {64, 16}, {71, 32}, {72, 32}, {75, 3}, {128, 128}, {132, 136},
		{135, 32}, {136, 137}, {137, 32}, {167, 20}, {168, 168}, {168, 300}, {200, 33}, {1000, 1000},
		{7, 8}, {8, 7}, {8, 8}, {9, 9}, {12, 12}, {15, 16}, {16, 17}, {17, 15}, {23, 24}, {28, 36},
	}
	modes := []struct {
		name   string
		digest int // bytes, 0: any number
	}{{"shake128", 0}, {"shake256", 0}, {"sha3-256", 32}, {"sha3-512", 64}}
	type system struct{ accel, hash, args string }
	systems := []system{
		{"shake-ram", "", "-ram copy"}, {"shake12-ram", "", "-wait wfi"}, {"ascon128-ram", "", "-ram copy -wait wfi"},
		{"ascon8-ram", "", "-ram copy"}, {"ascon-ram", "", "-wait wfi"},
		{"shake-dma", "", "-wait wfi"}, {"ascon8-dma", "", "-wait wfi"},
	}
	for _, x := range accel.XOFs {
		systems = append(systems, system{"none", x.Name, ""})
	}
	for _, e := range accel.List() {
		if e.Works && e.Name != "none" {
			systems = append(systems, system{e.Name, "", ""})
		}
	}
	sample := 3 // every third point; systems side by side have different ones
	if testing.Short() {
		sample = 97
	}
	for k, s := range systems {
		for i, m := range modes {
			if i%3 != 0 && strings.HasPrefix(s.accel+s.hash, "ascon") {
				continue // all modes are the same sponge
			}
			for j, l := range lengths {
				if (i+j+k)%sample != 0 {
					continue
				}
				if m.digest != 0 {
					l.out = m.digest
				}
				// Twice, as the second message finds what the first one left.
				r := start(t, soc.Options{Name: "hash.elf", Accel: s.accel, Hash: s.hash, Args: append(strings.Fields(s.args),
					"-in", fmt.Sprint(l.in), "-out", fmt.Sprint(l.out), "-mode", m.name, "-k", "2")}, nil)
				if err := r.right(); err != nil {
					t.Errorf("%s %s %s, %s, %d bytes in, %d out: %v", s.accel, s.hash, s.args, m.name, l.in, l.out, err)
					continue
				}
				if s.accel == "none" {
					continue
				}
				did := r.Regions[0].Accel
				if got, want := did.Permutations, 2*needed(r.outcomes[0]); got != want {
					t.Errorf("%s, %s, %d bytes in, %d out: %d permutations, want %d", s.accel, m.name, l.in, l.out, got, want)
				}
			}
		}
	}
}

// Over Ascon every mode is an XOF, so no digest is too long.
func TestHashLength(t *testing.T) {
	for _, o := range []soc.Options{{Accel: "ascon-fifo"}, {Accel: "ascon8-ram"}, {Accel: "none", Hash: "ascon128"}} {
		o.Name, o.Args = "hash.elf", []string{"-mode", "sha3-256", "-out", "65"}
		if err := start(t, o, nil).right(); err != nil {
			t.Errorf("%s %s: %v", o.Accel, o.Hash, err)
		}
	}
	for _, o := range []soc.Options{{Accel: "shake12-fifo"}, {Accel: "none", Hash: "shake"}} {
		o.Name, o.Args = "hash.elf", []string{"-mode", "sha3-512", "-out", "65"}
		if r := start(t, o, nil); r.Exit.Code != 2 || r.errors != "hash: -out: 65 bytes, sha3-512 has 64\n" {
			t.Errorf("%s %s: exit code %d, %s", o.Accel, o.Hash, r.Exit.Code, r.errors)
		}
	}
}

// Drivers that keep part of the state in memory between pieces; see TestPieces.
func TestRegisterPieces(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes long")
	}
	lengths := []struct{ in, out int }{{0, 3}, {7, 9}, {16, 8}, {136, 136}, {139, 137}, {168, 340}, {300, 291}, {1000, 400}}
	pieces := []int{65536, 1, 3, 4, 7, 8, 13, 40, 72, 136, 139, 168, 300}
	k := 0
	for _, e := range accel.List() {
		c, err := accel.Parse(e.Name)
		if err != nil || !c.InCore() {
			continue
		}
		every := 3 // no divisor of any number of choices
		if testing.Short() {
			every *= 23
		}
		for _, l := range lengths {
			for _, piece := range pieces {
				if k++; k%every != 0 {
					continue
				}
				at, mode := k%4, []string{"shake256", "shake128"}[k/4%2]
				r := start(t, soc.Options{Name: "hash.elf", Accel: e.Name, Args: []string{"-in", fmt.Sprint(l.in), "-out", fmt.Sprint(l.out),
					"-piece", fmt.Sprint(piece), "-align", fmt.Sprint(at), "-mode", mode, "-k", "2"}}, nil)
				if err := r.right(); err != nil {
					t.Errorf("%s, %s, %d bytes in, %d out, in pieces of %d, at %d: %v", e.Name, mode, l.in, l.out, piece, at, err)
				}
			}
		}
	}
}

// What coupling reg costs, in cycles on this core: see hal/reg.S, hal/regchains.S and
// hal/regascon.S. One more block of a message, and a Winternitz chain with its secret for
// n = 4, counted by hand. Over Keccak that is 76 cycles for the secret, 14 steps of 81, 87
// for the last one, and 4 words stored.
func TestRegister(t *testing.T) {
	t.Parallel()
	tests := []struct {
		accel, chains string
		block         uint64
		bytes         int // of a block
		chain         uint64
	}{
		{"shake-reg", "reg24_chains", 161, 136, 1301}, {"shake-regx", "reg24_chains", 97, 136, 1301},
		{"shake12-reg", "reg12_chains", 149, 136, 1301 - 16*12}, {"shake12-regx", "reg12_chains", 85, 136, 1301 - 16*12},
		{"ascon-reg", "regascon_chains", 16, 8, 2463}, {"ascon128-regx", "regascon128_chains", 16, 8, 2463},
		{"ascon8-reg", "regascon8_chains", 12, 8, 2463 - 16*9*4},
	}
	for n, tt := range tests {
		if testing.Short() && n%4 != 0 {
			continue
		}
		var cycles [2]uint64
		for i := range cycles {
			r := start(t, soc.Options{Name: "hash.elf", Accel: tt.accel, Args: []string{"-in", fmt.Sprint((2 + i) * tt.bytes)}}, nil)
			if err := r.right(); err != nil {
				t.Fatal(err)
			}
			cycles[i] = r.Regions[0].Cycles
		}
		if got := cycles[1] - cycles[0]; got != tt.block {
			t.Errorf("%s: a block of %d bytes more takes %d cycles, want %d", tt.accel, tt.bytes, got, tt.block)
		}
		const chains, most = 35, 100 // of a key; cycles to enter and to leave
		r := start(t, soc.Options{Name: "sphincs.elf", Accel: tt.accel, Args: []string{"-op", "keygen", "-nodigest"}, Regions: []string{tt.chains}}, nil)
		for _, g := range r.Regions {
			if g.Name != tt.chains {
				continue
			}
			if more := g.Cycles/g.Calls - chains*tt.chain; g.Calls != 8 || more > most {
				t.Errorf("%s: %d calls of %s take %d cycles, want 8 of %d chains, %d cycles each, and up to %d more", tt.accel, g.Calls, tt.chains, g.Cycles, chains, tt.chain, most)
			}
		}
	}
}

// A signature that was changed after the program ended is found out.
func TestChangedByte(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	r := start(t, soc.Options{Name: "sphincs.elf", Accel: "shake-fifo", Args: []string{"-op", "sign", "-nodigest"}},
		func(ops []firmware.Operation) {
			sig, _ := ops[0].Field(firmware.RoleSignature)
			sig[len(sig)/2] ^= 1
		})
	if r.Verified == nil || *r.Verified || r.Status() != soc.VerifyFailed {
		t.Errorf("verified %v, status %d; want false, %d", r.Verified, r.Status(), soc.VerifyFailed)
	}
}

// A mistake is one line on standard error that names the flag, and exit code 2.
func TestWrongArguments(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes long")
	}
	tests := []struct{ program, args, want string }{
		{"sphincs.elf", "-p 128", "-p: "},
		{"sphincs.elf", "-p", "-p: "},
		{"sphincs.elf", "-op keygen,sing", "-op: "},
		{"sphincs.elf", "-op ,", "-op: "},
		{"sphincs.elf", "-variant r4", "-variant: "},
		{"sphincs.elf", "-msg hex:0", "-msg: "},
		{"sphincs.elf", "-msg hex:0g", "-msg: "},
		{"sphincs.elf", "-msg abc", "-msg: "},
		{"sphincs.elf", "-msg len:65537", "-msg: "},
		{"sphincs.elf", "-ctx len:256", "-ctx: "},
		{"sphincs.elf", "-ctx str:a -internal", "-ctx: "},
		{"sphincs.elf", "-seed len:47", "-seed: "},
		{"sphincs.elf", "-sk len:64", "-sk: "},
		{"sphincs.elf", "-op verify -pk len:32", "-pk: "},
		{"sphincs.elf", "-sig len:1", "-sig: "},
		{"sphincs.elf", "-hash md5", "-hash: "},
		{"sphincs.elf", "-size 3", "-size: "},
		{"sphincs.elf", "-ram copy", "-ram: only with"},
		{"sphincs.elf", "-ram both", "-ram: "},
		{"sphincs.elf", "-wait long", "-wait: "},
		{"hash.elf", "-wait wfi", "-wait: only with"},
		{"hash.elf", "-in", "-in: "},
		{"hash.elf", "-in x", "-in: "},
		{"hash.elf", "-k 0", "-k: "},
		{"hash.elf", "-piece 0", "-piece: "},
		{"hash.elf", "-align 4", "-align: "},
		{"hash.elf", "-mode sha2", "-mode: "},
		{"hash.elf", "-mode sha3-256 -out 33", "-out: "},
	}
	for _, tt := range tests {
		r := start(t, soc.Options{Name: tt.program, Args: strings.Fields(tt.args)}, nil)
		prefix := strings.TrimSuffix(tt.program, ".elf") + ": " + tt.want
		if r.Exit.Code != 2 || r.out != "" || !strings.HasPrefix(r.errors, prefix) || strings.Count(r.errors, "\n") != 1 {
			t.Errorf("%s %s: exit code %d, output %q, error %q; want 2, nothing, one line %q...",
				tt.program, tt.args, r.Exit.Code, r.out, r.errors, prefix)
		}
	}
}

// vectors reads a file of the shared test vectors.
func vectors[T any](t *testing.T, name string) []T {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "shared", "vectors", filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no test vectors: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Tests []T }
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return file.Tests
}

// digest is the line the program prints about a key or signature.
func digest(t *testing.T, what, text string) string {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("[DIG] %s sha3-256 %x\n", what, sha3.Sum256(b))
}

// Published signatures, without the reference in between.
func TestPublishedSignatures(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes long")
	}
	type vector struct {
		ParameterSet, SignatureInterface                      string
		Deterministic                                         bool
		SK, Message, Context, Signature, AdditionalRandomness string
	}
	for i, v := range vectors[vector](t, "slhdsa/siggen.json") {
		set := v.ParameterSet[len(v.ParameterSet)-4:]
		if set[3] == 's' || testing.Short() && i > 3 {
			continue // tens of millions of cycles; TestSets has them
		}
		args := []string{"-p", set, "-op", "sign,verify", "-sk", "hex:" + v.SK, "-msg", "hex:" + v.Message}
		if v.SignatureInterface == "internal" {
			args = append(args, "-internal")
		}
		if v.Context != "" {
			args = append(args, "-ctx", "hex:"+v.Context)
		}
		if !v.Deterministic {
			args = append(args, "-optrand", "hex:"+v.AdditionalRandomness)
		}
		r := start(t, soc.Options{Name: "sphincs.elf", Accel: "shake-fifo", Args: args}, nil)
		if err := r.right(); err != nil {
			t.Errorf("vector %d: %v", i, err)
		} else if !strings.Contains(r.out, digest(t, "sig", v.Signature)) {
			t.Errorf("vector %d, %s: another signature than published:\n%s", i, set, r.out)
		}
	}
}

// Signatures to verify come as arguments of up to 99,712 characters.
func TestPublishedVerdicts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes long")
	}
	type vector struct {
		ParameterSet, SignatureInterface, PK, Message, Context, Signature string
		TestPassed                                                        bool
	}
	for i, v := range vectors[vector](t, "slhdsa/sigver.json") {
		args := []string{
			"-p", v.ParameterSet[len(v.ParameterSet)-4:], "-op", "verify",
			"-pk", "hex:" + v.PK, "-msg", "hex:" + v.Message, "-sig", "hex:" + v.Signature,
		}
		if v.SignatureInterface == "internal" {
			args = append(args, "-internal")
		}
		if v.Context != "" {
			args = append(args, "-ctx", "hex:"+v.Context)
		}
		r := start(t, soc.Options{Name: "sphincs.elf", Accel: "shake-fifo", Args: args}, nil)
		code, line := 0, "[PASS]\n"
		if !v.TestPassed {
			code, line = 1, "[FAIL] verify rejects the signature\n"
		}
		if r.Exit.Code != code || !strings.HasSuffix(r.out, line) || r.Verified == nil || !*r.Verified {
			t.Errorf("vector %d: exit code %d, verified %v, output\n%swant %d, true, %s", i, r.Exit.Code, r.Verified, r.out, code, line)
		}
	}
}

func TestPublishedRound3(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes long")
	}
	type vector struct {
		KeygenSeed, Msg, OptRand, PK, SK, SM string
		SMLen, MLen                          int
	}
	for i, v := range vectors[vector](t, "sphincsplus-r3/shake-128f-simple.json") {
		if testing.Short() && i > 0 {
			break
		}
		r := start(t, soc.Options{Name: "sphincs.elf", Accel: "shake-fifo", Args: []string{
			"-variant", "r3", "-seed", "hex:" + v.KeygenSeed, "-msg", "hex:" + v.Msg, "-optrand", "hex:" + v.OptRand,
		}}, nil)
		if err := r.right(); err != nil {
			t.Errorf("vector %d: %v", i, err)
			continue
		}
		for _, want := range []string{digest(t, "pk", v.PK), digest(t, "sk", v.SK), digest(t, "sig", v.SM[:2*(v.SMLen-v.MLen)])} {
			if !strings.Contains(r.out, want) {
				t.Errorf("vector %d: no line %sin\n%s", i, want, r.out)
			}
		}
	}
}
