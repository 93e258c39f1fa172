package pipeline

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"socsim/sdith"
)

var update = flag.Bool("update", false, "write testdata/cycles.txt anew")

const cyclesFile = "testdata/cycles.txt"

// The cycles of every phase of every configuration, for known answer 0. They move when
// the model does, and should never else.
func TestCycles(t *testing.T) {
	golden, err := os.ReadFile(cyclesFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(golden)) {
		name, cycles, _ := strings.Cut(strings.TrimSpace(line), " ")
		want[name] = cycles
	}
	var all strings.Builder
	for _, c := range Configs() {
		if testing.Short() && c.Set != sdith.Cat1Fast {
			continue
		}
		var line []string
		r := signed(t, newTestMachine(t, c), job(t, c.Set, 0))
		for _, p := range r.Phases {
			line = append(line, fmt.Sprintf("%v=%d", p.Phase, p.Cycles))
		}
		got := strings.Join(line, " ")
		if got != want[c.Name()] && !*update {
			t.Errorf("%s:\ngot  %s\nwant %s\nIf the model has changed: go test ./sdith/pipeline -run TestCycles -update", c.Name(), got, want[c.Name()])
		}
		fmt.Fprintf(&all, "%s %s\n", c.Name(), got)
	}
	if *update && !testing.Short() {
		if err := os.WriteFile(cyclesFile, []byte(all.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A pass over the leaves by hand. At level 1 a leaf has 4 path blocks, one after the
// other, and 9 stream blocks on two cores: the ninth leaves a core free for the first
// block of the next path. So it takes 4 + 9/2 steps of 11 cycles, less half a step: 88
// cycles. Behind the last leaf h_aux takes in 1 + 32 + 2,145 bytes and gives 32, with 13
// permutations.
func TestPassCycles(t *testing.T) {
	c := configOf(sdith.Cat1Fast, true)
	w1 := signed(t, newTestMachine(t, c), job(t, c.Set, 0)).Phases[PhaseW1].Cycles
	leaves := int64(4096 * 88)
	hash := int64((1+32+2145+7)/8 + 13*24 + 4)
	// In front and behind: SHAKE's end of G, the last sums, a correction, their ports.
	if rest := w1 - leaves - hash; rest < 0 || rest > 40 {
		t.Errorf("W1 takes %d cycles: %d of leaves, %d of the hash, and %d", w1, leaves, hash, rest)
	}
	// With twice the cycles a block the leaves take twice as long.
	slow := c
	slow.Costs.AES = 22
	w1slow := signed(t, newTestMachine(t, slow), job(t, c.Set, 0)).Phases[PhaseW1].Cycles
	if rest := w1slow - 2*leaves - hash; rest < 0 || rest > 50 {
		t.Errorf("with 22 cycles a block W1 takes %d cycles: %d of leaves, %d of the hash, and %d", w1slow, 2*leaves, hash, rest)
	}
}
