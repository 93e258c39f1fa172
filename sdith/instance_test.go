package sdith

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Which random integers are skipped. No known answer meets one.
func TestPosition(t *testing.T) {
	for _, test := range []struct {
		p   *Params
		v   uint32
		pos int
		ok  bool
	}{
		{Cat1Fast, 0, 0, true},
		{Cat1Fast, 185*3 + 184, 184, true},
		{Cat1Fast, 4294967214, 184, true}, // 2^32 - 1 = 185·23216039 + 80
		{Cat1Fast, 4294967215, 0, false},
		{Cat1Fast, math.MaxUint32, 80, false},
		{Cat3Fast, 4294967291, 251, true}, // 2^32 - 1 = 252·17043521 + 3
		{Cat3Fast, 4294967292, 0, false},
	} {
		if pos, ok := test.p.position(test.v); ok != test.ok || pos != test.pos {
			t.Errorf("%s: %d gives position %d, %v, want %d, %v", test.p.Name, test.v, pos, ok, test.pos, test.ok)
		}
	}
}

func TestWitness(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(Sets).Draw(t, "set")
		positions := make([]int, p.Weight)
		for b := range positions {
			positions[b] = rapid.IntRange(0, p.BlockLength-1).Draw(t, "position")
		}
		got, err := p.WitnessPositions(p.Witness(positions))
		if diff := cmp.Diff(positions, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", p.Name, err, diff)
		}
	})
}
