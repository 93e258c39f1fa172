package sdith

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChallenge(t *testing.T) {
	// Equal positions in all repetitions are neighbours in the tree, so that few seeds
	// open the rest; 01 02 03 … are far apart.
	near, far := bytes.Repeat([]byte{5}, 17), make([]byte, 17)
	for i := range far {
		far[i] = byte(16*i + i)
	}
	with := func(d []byte, at int, b byte) []byte {
		d = bytes.Clone(d)
		d[at] = b
		return d
	}
	for _, test := range []struct {
		reason string
		d      []byte
		want   error
	}{
		{"5 everywhere", with(near, 16, 0), nil},
		{"bits above w_pow do not count", with(near, 16, 0xfc), nil},
		{"first bit of w_pow", with(near, 16, 1), errPoWBits},
		{"last bit of w_pow", with(near, 16, 2), errPoWBits},
		{"w_pow comes before the positions", with(far, 16, 1), errPoWBits},
		{"position 0 everywhere", make([]byte, 17), errPoWZero},
		{"one position is not 0", with(make([]byte, 17), 15, 0x80), nil},
		{"too many seeds", with(far, 16, 0), errPoWOpen},
	} {
		istar, err := Cat1Fast.Challenge(test.d)
		if err != test.want {
			t.Errorf("%s: error %v, want %v", test.reason, err, test.want)
		}
		if err != nil {
			continue
		}
		want := make([]int, 16)
		for e := range want {
			want[e] = int(test.d[e])
		}
		if diff := cmp.Diff(want, istar); diff != "" {
			t.Errorf("%s: positions (-want +got):\n%s", test.reason, diff)
		}
	}

	// κ = 11: positions cross the bytes, lowest bit first.
	d := make([]byte, Cat1Short.PoWSize())
	d[0], d[1], d[2] = 0xff, 0x07, 0x08 // position 0 has all bits, position 1 only its ninth
	istar, err := Cat1Short.Challenge(d)
	if diff := cmp.Diff([]int{2047, 256, 0, 0, 0, 0, 0, 0, 0, 0, 0}, istar); err != nil || diff != "" {
		t.Errorf("positions of 11 bits: %v (-want +got):\n%s", err, diff)
	}
}

// A set reveals T_open seeds at most, and may reveal as many.
func TestChallengeLimit(t *testing.T) {
	d := make([]byte, 17)
	for i := range 16 {
		d[i] = byte(16*i + i)
	}
	p := *Cat1Fast
	p.Open = 3000
	istar, err := p.Challenge(d)
	if err != nil {
		t.Fatal(err)
	}
	p.Open = len(Revealed(p.HiddenNodes(istar)))
	if _, err := p.Challenge(d); err != nil {
		t.Errorf("%d of %d seeds: %v", p.Open, p.Open, err)
	}
	p.Open--
	if _, err := p.Challenge(d); err != errPoWOpen {
		t.Errorf("%d of %d seeds: error %v, want %v", p.Open+1, p.Open, err, errPoWOpen)
	}
}

func TestDelta1(t *testing.T) {
	// gray(2047) = 10000000000b, gray(256) = 110000000b.
	istar := make([]int, 11)
	istar[0], istar[1] = 2047, 256
	want := make([]byte, 16)
	want[10/8] |= 1 << (10 % 8)
	want[(11+7)/8] |= 1 << ((11 + 7) % 8)
	want[(11+8)/8] |= 1 << ((11 + 8) % 8)
	if diff := cmp.Diff(want, Cat1Short.delta1(istar)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
