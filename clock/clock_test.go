package clock

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// firing is one call of an event function.
type firing struct {
	Source int
	At     Cycle
}

func TestQueueOrder(t *testing.T) {
	q := NewQueue()
	var got []firing
	source := func(n int) *Event { return q.Source(func(at Cycle) { got = append(got, firing{n, at}) }) }
	a, b, c := source(0), source(1), source(2)
	if n := q.Next(); n != Never {
		t.Errorf("next of a queue with nothing armed: %d, want Never", n)
	}

	c.At(5)
	b.At(5)
	a.At(9)
	if n := q.Next(); n != 5 {
		t.Errorf("next: %d, want 5", n)
	}
	q.Advance(4)
	if len(got) != 0 {
		t.Errorf("fired before their cycle: %v", got)
	}
	q.Advance(9)
	want := []firing{{1, 5}, {2, 5}, {0, 9}} // registration order within cycle 5
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("firings (-want +got):\n%s", d)
	}
	if n := q.Next(); n != Never {
		t.Errorf("next after all fired: %d, want Never", n)
	}
}

func TestQueueRearm(t *testing.T) {
	tests := []struct {
		name string
		act  func(e *Event)
		want []Cycle
		due  Cycle
	}{
		{"later arming replaces the earlier one", func(e *Event) { e.At(3); e.At(7) }, []Cycle{7}, Never},
		{"earlier arming replaces the later one", func(e *Event) { e.At(7); e.At(3) }, []Cycle{3}, Never},
		{"Never disarms", func(e *Event) { e.At(3); e.At(Never) }, nil, Never},
		{"beyond the horizon stays armed", func(e *Event) { e.At(101) }, nil, 101},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := NewQueue()
			var got []Cycle
			e := q.Source(func(at Cycle) { got = append(got, at) })
			tt.act(e)
			q.Advance(100)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("fired in (-want +got):\n%s", d)
			}
			if e.Due() != tt.due {
				t.Errorf("due after: %d, want %d", e.Due(), tt.due)
			}
			if q.Next() != tt.due {
				t.Errorf("next after: %d, want %d", q.Next(), tt.due)
			}
		})
	}
}

// An event function may arm its own event and others, in the same cycle too.
func TestQueueFiringArms(t *testing.T) {
	q := NewQueue()
	var got []firing
	var tick, once *Event
	tick = q.Source(func(at Cycle) {
		got = append(got, firing{0, at})
		if at < 20 {
			tick.At(at + 10)
		}
		if at == 10 {
			once.At(at)
		}
	})
	once = q.Source(func(at Cycle) {
		if once.Due() != Never {
			t.Errorf("event still armed for %d while its function runs", once.Due())
		}
		got = append(got, firing{1, at})
	})
	tick.At(10)
	q.Advance(30)
	if d := cmp.Diff([]firing{{0, 10}, {1, 10}, {0, 20}}, got); d != "" {
		t.Errorf("firings (-want +got):\n%s", d)
	}
}

// Against a list kept sorted by (cycle, source), under random arming.
func TestQueueAgainstSortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const sources = 4
		q := NewQueue()
		var got, want []firing
		var events [sources]*Event
		var due [sources]Cycle
		for n := range events {
			due[n] = Never
			events[n] = q.Source(func(at Cycle) { got = append(got, firing{n, at}) })
		}
		var now Cycle
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			n := rapid.IntRange(0, sources-1).Draw(t, "source")
			due[n] = now + 1 + Cycle(rapid.IntRange(0, 6).Draw(t, "distance"))
			if rapid.IntRange(0, 5).Draw(t, "disarm") == 0 {
				due[n] = Never
			}
			events[n].At(due[n])
			if next := slices.Min(due[:]); q.Next() != next {
				t.Fatalf("next: %d, want %d", q.Next(), next)
			}

			now += Cycle(rapid.IntRange(0, 4).Draw(t, "step"))
			for c := now - min(now, 4); c <= now; c++ { // no step is longer
				for n := range due {
					if due[n] == c {
						want = append(want, firing{n, c})
						due[n] = Never
					}
				}
			}
			q.Advance(now)
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("firings up to %d (-want +got):\n%s", now, d)
			}
		}
	})
}
