package fifo

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"socsim/clock"
)

func TestDepth(t *testing.T) {
	for _, depth := range []int{-1, 0, MaxDepth + 1} {
		if f, err := New(depth, Registered); err == nil || f != nil || !strings.Contains(err.Error(), fmt.Sprint(depth)) {
			t.Errorf("New(%d): %v, %v, want an error that names the depth", depth, f, err)
		}
	}
	for _, depth := range []int{1, MaxDepth} {
		if f, err := New(depth, Registered); err != nil || f.Depth() != depth {
			t.Errorf("New(%d): %v", depth, err)
		}
	}
}

// One step after the other on a FIFO of two words; the cycles are worked out by
// hand from the rules in the package comment.
func TestTimeline(t *testing.T) {
	tests := []struct {
		name   string
		timing Timing
		want   []string
	}{
		{"registered", Registered, []string{
			"room 10, push 10 a", // the first push finds room at once
			"ready 11, pop 11",   // visible one cycle later
			"room 11, push 11 b", // while a is popped in the same cycle
			"room 12, push 12 c", // into the slot a left in 11
			"room never",         // b, c
			"ready 12, pop 14",   // b waited
			"room 15, push 15 d", // b's slot
			"ready 15, pop 15",   // c: one pop a cycle
			"ready 16, pop 16",   // d
			"ready never",
		}},
		{"two cycles through", Timing{Visible: 2, Room: 1}, []string{
			"room 10, push 10 a", "ready 12, pop 12", "room 11, push 11 b", "room 13, push 13 c", "room never",
		}},
		{"two cycles back", Timing{Visible: 1, Room: 2}, []string{
			"room 10, push 10 a", "ready 11, pop 11", "room 11, push 11 b", "room 13, push 13 c", "room never",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := New(2, tt.timing)
			if err != nil {
				t.Fatal(err)
			}
			f.Push(0, 8) // a word that has come and gone: the ring has turned
			f.Pop(9 + tt.timing.Visible - 1)
			f.Clear(9)
			var got []string
			for _, step := range tt.want {
				var at clock.Cycle
				var w rune
				s := "ready"
				free := f.Ready()
				if strings.HasPrefix(step, "room") {
					s, free = "room", f.Room()
				}
				if free == clock.Never {
					got = append(got, s+" never")
					continue
				}
				s += fmt.Sprintf(" %d, ", free)
				if n, _ := fmt.Sscanf(step[strings.Index(step, ", ")+2:], "push %d %c", &at, &w); n == 2 {
					f.Push(uint32(w), at)
					got = append(got, s+fmt.Sprintf("push %d %c", at, w))
				} else {
					fmt.Sscanf(step[strings.Index(step, ", ")+2:], "pop %d", &at)
					f.Pop(at)
					got = append(got, s+fmt.Sprintf("pop %d", at))
				}
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestHighWater(t *testing.T) {
	tests := []struct {
		name         string
		pushes, pops []clock.Cycle
		want         int
	}{
		{"a word at a time", []clock.Cycle{10, 20, 30}, []clock.Cycle{15, 25, 35}, 1},
		{"filled in the cycle its neighbour is emptied", []clock.Cycle{10, 11}, []clock.Cycle{11, 12}, 2},
		{"filled in the cycle after", []clock.Cycle{10, 12}, []clock.Cycle{11, 13}, 1},
		{"three wait", []clock.Cycle{10, 11, 12}, []clock.Cycle{13, 14, 15}, 3},
		{"pops known before the push", []clock.Cycle{10, 11, 12, 13}, []clock.Cycle{11, 12, 13, 14}, 2},
	}
	for _, tt := range tests {
		for _, late := range []bool{false, true} { // whether pops are worked on after later pushes
			f, err := New(8, Registered)
			if err != nil {
				t.Fatal(err)
			}
			popped := 0
			for i, g := range tt.pushes {
				for !late && popped < i && tt.pops[popped] <= g { // <=: the pop of the same cycle is known
					f.Pop(tt.pops[popped])
					popped++
				}
				for late && popped < i && tt.pops[popped] < g {
					f.Pop(tt.pops[popped])
					popped++
				}
				f.Push(uint32(i), g)
			}
			if got := f.Statistics().HighWater; got != tt.want {
				t.Errorf("%s, late %v: high water %d, want %d", tt.name, late, got, tt.want)
			}
		}
	}
}

func TestClear(t *testing.T) {
	f, err := New(3, Registered)
	if err != nil {
		t.Fatal(err)
	}
	f.Push(1, 5)
	f.Push(2, 6)
	f.Pop(7)
	f.Push(3, 7)
	f.Clear(7)
	if f.Len() != 0 || f.Ready() != clock.Never || f.Room() != 8 {
		t.Errorf("after Clear: %d words, ready %d, room %d", f.Len(), f.Ready(), f.Room())
	}
	for i := range 3 {
		f.Push(uint32(10+i), 8+clock.Cycle(i))
	}
	if f.Room() != clock.Never {
		t.Errorf("room %d after three pushes", f.Room())
	}
	if w := f.Pop(20); w != 10 {
		t.Errorf("first word %d, want 10", w)
	}
	want := Statistics{Pushes: 6, Pops: 2, Dropped: 2, HighWater: 3}
	if d := cmp.Diff(want, f.Statistics()); d != "" {
		t.Errorf("statistics (-want +got):\n%s", d)
	}
}

func TestMisuseIsABug(t *testing.T) {
	tests := []struct {
		name string
		do   func(f *FIFO)
		want string
	}{
		{"push into a full FIFO", func(f *FIFO) { f.Push(1, 1); f.Push(2, 2); f.Push(3, 9) }, "BUG: fifo: push in cycle 9"},
		{"two pushes in a cycle", func(f *FIFO) { f.Push(1, 1); f.Push(2, 1) }, "BUG: fifo: push in cycle 1"},
		{"push goes back in time", func(f *FIFO) { f.Push(1, 5); f.Push(2, 4) }, "BUG: fifo: push in cycle 4"},
		{"pop of nothing", func(f *FIFO) { f.Pop(1) }, "BUG: fifo: pop in cycle 1"},
		{"pop in the cycle of the push", func(f *FIFO) { f.Push(1, 3); f.Pop(3) }, "BUG: fifo: pop in cycle 3"},
		{"two pops in a cycle", func(f *FIFO) { f.Push(1, 1); f.Push(2, 2); f.Pop(5); f.Pop(5) }, "BUG: fifo: pop in cycle 5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := New(2, Registered)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if s := fmt.Sprint(recover()); !strings.HasPrefix(s, tt.want) {
					t.Errorf("panic %q, want %q", s, tt.want)
				}
			}()
			tt.do(f)
		})
	}
}

// end is what one end of the FIFO did.
type end struct {
	At   clock.Cycle
	Word uint32
}

// ticking runs producer and consumer cycle by cycle over a plain queue, the
// plainest form of the rules: both ends look at the state at the start of the
// cycle. Each wants its n-th transfer no earlier than in its n-th wish, and one
// a cycle.
func ticking(depth int, pushes, pops []clock.Cycle) (pushed, popped []end, most int) {
	var queue []uint32
	for c := clock.Cycle(0); len(popped) < len(pops) && c < 10_000; c++ {
		held := len(queue)
		if held > 0 && pops[len(popped)] <= c {
			popped = append(popped, end{c, queue[0]})
			queue = queue[1:]
		}
		if held < depth && len(pushed) < len(pushes) && pushes[len(pushed)] <= c {
			w := uint32(100 + len(pushed))
			queue = append(queue, w)
			pushed = append(pushed, end{c, w})
			most = max(most, held+1)
		}
	}
	return pushed, popped, most
}

// The FIFO gives the cycles of the ticking model whichever end is worked on
// first; words keep their order, none is lost or made up, the depth is never
// exceeded and time never goes back.
func TestAgainstTicking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		depth := rapid.IntRange(1, 5).Draw(t, "depth")
		n := rapid.IntRange(1, 30).Draw(t, "words")
		wishes := func(label string) []clock.Cycle {
			var w []clock.Cycle
			var at clock.Cycle
			for range n {
				at += clock.Cycle(rapid.SampledFrom([]int{0, 0, 1, 1, 2, 7}).Draw(t, label))
				w = append(w, at)
			}
			return w
		}
		pushes, pops := wishes("push"), wishes("pop")
		inOrder := rapid.Bool().Draw(t, "in order of time")
		wantPushed, wantPopped, most := ticking(depth, pushes, pops)

		f, err := New(depth, Registered)
		if err != nil {
			t.Fatal(err)
		}
		var pushed, popped []end
		for len(popped) < n {
			push := len(pushed) < n && f.Room() != clock.Never
			if push && f.Ready() != clock.Never {
				push = rapid.Bool().Draw(t, "push first")
				p, q := max(pushes[len(pushed)], f.Room()), max(pops[len(popped)], f.Ready())
				if inOrder && p != q {
					push = p < q
				}
			}
			if push {
				w := uint32(100 + len(pushed))
				at := max(pushes[len(pushed)], f.Room())
				f.Push(w, at)
				pushed = append(pushed, end{at, w})
			} else {
				at := max(pops[len(popped)], f.Ready())
				popped = append(popped, end{at, f.Pop(at)})
			}
			if f.Len() != len(pushed)-len(popped) || f.Len() > depth {
				t.Fatalf("%d pushed, %d popped, %d in a FIFO of %d", len(pushed), len(popped), f.Len(), depth)
			}
		}
		if d := cmp.Diff(wantPushed, pushed); d != "" {
			t.Fatalf("pushes (-ticking +FIFO):\n%s", d)
		}
		if d := cmp.Diff(wantPopped, popped); d != "" {
			t.Fatalf("pops (-ticking +FIFO):\n%s", d)
		}
		want := Statistics{Pushes: uint64(n), Pops: uint64(n), HighWater: most}
		if !inOrder {
			want.HighWater = f.Statistics().HighWater // may count slots whose pop came too late
		}
		if d := cmp.Diff(want, f.Statistics()); d != "" {
			t.Fatalf("statistics (-want +got):\n%s", d)
		}

		// What high water promises.
		again, _, _ := ticking(most, pushes, pops)
		if d := cmp.Diff(wantPushed, again); d != "" {
			t.Fatalf("a FIFO of %d words, the high water, behaves differently:\n%s", most, d)
		}
		if most > 1 {
			if less, _, _ := ticking(most-1, pushes, pops); cmp.Equal(wantPushed, less) {
				t.Fatalf("a FIFO of %d words, one below the high water, behaves the same", most-1)
			}
		}
	})
}

func BenchmarkPushPop(b *testing.B) {
	f, err := New(42, Registered)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var at clock.Cycle
	for b.Loop() {
		f.Push(1, at)
		f.Pop(at + 1)
		at++
	}
}
