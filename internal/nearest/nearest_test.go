package nearest_test

import (
	"fmt"
	"testing"

	"socsim/internal/nearest"
)

func TestName(t *testing.T) {
	known := []string{"shake-fifo", "shake-lsu", "ascon-fifo", "none"}
	for _, c := range []struct{ word, want, reason string }{
		{"shake-fifo", "shake-fifo", "itself"},
		{"shake-fifi", "shake-fifo", "a letter replaced"},
		{"skahe-fifo", "shake-fifo", "neighbours swapped"},
		{"Shake-FIFO", "shake-fifo", "case does not matter"},
		{"shak-lsu", "shake-lsu", "a letter missing"},
		{"nome", "none", ""},
		{"asc", "ascon-fifo", "cut short"},
		{"sh", "shake-fifo", "the first of two"},
		{"keccak", "", "nothing like it"},
		{"", "", "no word, no guess"},
	} {
		if got := nearest.Name(c.word, known); got != c.want {
			t.Errorf("Name(%q) = %q, want %q %s", c.word, got, c.want, c.reason)
		}
	}
}

func ExampleHint() {
	fmt.Println("no platform defualt" + nearest.Hint("defualt", []string{"default", "rtlbench"}))
	// Output: no platform defualt (did you mean default?)
}
