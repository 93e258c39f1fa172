package soc_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/soc"
)

// One example per rule of the ledger, booked by hand with the cycle rules of
// the core (CV32E40P.md sections 1, 4, 6, 7) and the waits of the apb bus (2
// for a load, 3 for a store). In the sums E is the first cycle in EX.
func TestLedgerByHand(t *testing.T) {
	fifo := func(label string, set ...string) soc.Options {
		o := start(t, label, set...)
		o.Accel = "shake-fifo"
		return o
	}
	obtain := func(o soc.Options) soc.Ledger { return run(t, o).Ledger }

	hash := obtain(fifo("hash"))
	held := obtain(fifo("held", "accel.fifo_depth=1"))
	late := obtain(fifo("late"))
	timer := obtain(start(t, "timer"))
	for _, c := range []struct {
		name      string
		got, want uint64
		reason    string
	}{
		{"move_in", hash.MoveIn, 3 + 33*8 + 6 + 2,
			"li lui addi; a turn is sw (held until its answer, E+4), addi, branch taken 3; the last falls through; ret"},
		{"move_out", hash.MoveOut, 12,
			"lw E, answer E+3; sw of it E+4; lw E+5, answer E+8; sw E+9; ret E+10, next E+12"},
		{"control", hash.Control, 16 + 6,
			"open: li, sw E, sw E+1 granted E+4 behind the first, li E+5, sw E+9, ret E+10 leaves EX with the answer E+13, next E+15; last: sw E, ret E+1 leaves E+4, next E+6"},
		{"wait", hash.Wait, 4*8 + 8,
			"polls every 8 cycles: first at T+24 if T is the last push; output can be popped from T+52 on, so the fifth sees it"},
		{"hash withheld nothing", hash.WaitIn + hash.WaitOut, 0, "42 words of FIFO hold the block"},
		{"wait_in", held.WaitIn, 11,
			"push 34 at T fills the block, which is permuted T+2..T+25; push 36 is requested T+16 and gets in T+27, after an absorb in T+26"},
		{"wait, withheld", held.Wait, 23,
			"LAST in L, padding L+1, permutation L+2..L+25, first word out L+26, popped L+27, answered L+28; DOUT requested behind LAST's answer L+4"},
		{"wait_out", late.WaitOut, 1, "DOUT requested in the cycle in which the word is moved: popped one later"},
		{"late waits for nothing else", late.Wait, 0, ""},
		{"sleep", timer.Sleep, 1000 - 22,
			"mtime read in G; wfi E = G+19 sleeps from E+3 until mtime is G+1000"},
		{"trap", timer.Trap, 14 + 1,
			"woken in s; li in EX s+4, sw s+5, mret s+6 leaves EX with the answer s+9, next s+14, and one for a misaligned target"},
		{"compute", timer.Compute + timer.Sleep + timer.Trap, timer.Sum(), "the rest"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d cycles, by hand %d: %s", c.name, c.got, c.want, c.reason)
		}
	}
}

// A program without ledger sections is booked by the roles of the registers.
func TestForeignProgram(t *testing.T) {
	r := run(t, soc.Options{Name: "foreign.elf", ELF: program(t, "foreign.elf"), Accel: "shake-fifo"})
	if r.Exit.Reason != soc.Ecall || r.Exit.Code != 0 {
		t.Fatalf("%+v", r.Exit)
	}
	got := r.Ledger
	got.Compute = 0
	// An access owns the cycles from its request to its answer, which on this
	// bus is 4 for a store and 3 for a load. If T is the last push, the block is
	// permuted in T+2..T+25, the padding is in T+26, the second permutation in
	// T+27..T+50, and output can be popped from T+52 on. LAST is granted in T+6. STATUS is
	// polled every 9 cycles (load 4 with its use, and, taken branch 3, one as its
	// target is misaligned): in T+10, 19, 28, 37 and 46 the unit is busy, in T+55 not.
	want := soc.Ledger{MoveIn: 34 * 4, MoveOut: 3, Control: 4 + 4 + 4 + 3, Wait: 5 * 3}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(r.Regions) != 0 {
		t.Errorf("regions %+v", r.Regions)
	}
}

func TestRows(t *testing.T) {
	l := soc.Ledger{Compute: 1, MoveIn: 2, WaitIn: 3, Wait: 4, MoveOut: 5, WaitOut: 6, Control: 7, Trap: 8, Sleep: 9}
	names := ""
	for i, row := range l.Rows() {
		if row.Cycles != uint64(i+1) || row.Text == "" {
			t.Errorf("row %d: %+v", i, row)
		}
		names += row.Name + " "
	}
	if want := "compute move_in wait_in wait move_out wait_out control trap sleep "; names != want {
		t.Errorf("rows %s, want %s", names, want)
	}
	if l.Sum() != 45 {
		t.Errorf("sum %d", l.Sum())
	}
}

// Observers change nothing: regions, commit log and the exact loop give the
// same cycles.
func TestObserversChangeNothing(t *testing.T) {
	// The slow bus lets answers come long after the next request.
	for _, label := range []string{"hash", "held", "late", "timer", "recursion", "fallen", "mutual"} {
		plain := start(t, label, "accel.bus=0/20/20/pipelined")
		plain.Accel = "shake-fifo"
		plain.Dumps = []soc.Dump{{Symbol: "times"}, {Symbol: "digest"}}
		watched := plain
		watched.Regions = []string{"down", "feed", "fetch", "poll", "shake", "open", "last", "handler", "inner", "inner2", "odd"}
		watched.CommitLog = new(discard)
		exact := plain
		exact.ExactOnly = true
		a, b, c := run(t, plain), run(t, watched), run(t, exact)
		for _, x := range []*soc.Result{b, c} {
			if diff := cmp.Diff(a.Ledger, x.Ledger); diff != "" || a.Instret != x.Instret {
				t.Errorf("%s: %d and %d instructions; %s", label, a.Instret, x.Instret, diff)
			}
			if diff := cmp.Diff(a.Dumps, x.Dumps); diff != "" {
				t.Errorf("%s: %s", label, diff)
			}
		}
	}
}

type discard struct{}

func (*discard) Write(b []byte) (int, error) { return len(b), nil }
