package sdith

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"pgregory.net/rapid"
)

// The checks of SPEC, sections 4.2 and 4.3.
func TestCipherSpec(t *testing.T) {
	for _, test := range []struct {
		p            *Params
		stream, pair string
	}{
		{Cat1Fast, "eda330f90eecd16c003e5fb09bcff3586ad10777182284b7b39780b373630942cae7020ff0166c9b",
			"1def71c6f8b79b288d9752c9b0dbd3708371df06776c73a0471da29a083f5aa0"},
		{Cat3Fast, "4e38db2dc33fc32bf1e5281c3885179f929791faa1993dce2896b3833330a2794ade29358c6512e6",
			"c9fac17a00b793ce6f2392bb6707c261f9400d4f9a65a77bcfa726935a51c92b2ffd9c3673528398384c7038f1f9504e"},
		{Cat5Fast, "2b51f9e90657a6119db49c7eed6316af4d64f721f1a8e7c9d7abc7c3d28de6518792698200032ea6",
			"b0ca6354fc1594bfeb077a71328133f697dbcad062cd7b1d7592b27c6c59cab09c1c8f3a98d5457fdf894bbda5e9460ec0548434601ca048b5e9209fd7653370"},
	} {
		p := test.p
		s, salt := make([]byte, p.SeedSize()), make([]byte, p.SeedSize())
		for i := range s {
			s[i], salt[i] = byte(0x10+i), byte(0xa0+i)
		}
		salt[0] = 0xa1

		c := p.NewCipher()
		stream := make([]byte, 40)
		NewStream(c, s).Read(stream)
		if got := hex.EncodeToString(stream); got != test.stream {
			t.Errorf("λ = %d: STREAM %s, want %s", p.Lambda, got, test.stream)
		}
		pair := make([]byte, p.HashSize())
		c.SetSeed(s)
		c.PairInto(pair, salt, 6)
		if got := hex.EncodeToString(pair); got != test.pair {
			t.Errorf("λ = %d: PAIR %s, want %s", p.Lambda, got, test.pair)
		}
	}
}

// c1 is c0 plus one: a carry goes through all bytes that are ff, and is lost at the end.
func TestPairCarry(t *testing.T) {
	ones := bytes.Repeat([]byte{0xff}, 32)
	for _, test := range []struct {
		p      *Params
		t      uint32
		c0, c1 []byte
	}{
		{Cat1Fast, 0, ones[:16], make([]byte, 16)},
		{Cat5Fast, 0, ones, make([]byte, 32)},
		{Cat5Fast, 2, append([]byte{0xfd}, ones[1:]...), append([]byte{0xfe}, ones[1:]...)},
		// At λ = 192 the tweak is alone in the lowest 8 bytes, and even.
		{Cat3Fast, 0xfffffffe, append([]byte{0xfe, 0xff, 0xff, 0xff, 0, 0, 0, 0}, ones[:24]...),
			append([]byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}, ones[:24]...)},
	} {
		n := test.p.BlockSize()
		got := make([]byte, 2*n)
		test.p.PairInputs(got, ones[:test.p.SeedSize()], test.t)
		if !bytes.Equal(got[:n], test.c0) || !bytes.Equal(got[n:], test.c1) {
			t.Errorf("λ = %d, t = %d: c0 = %x and c1 = %x, want %x and %x", test.p.Lambda, test.t, got[:n], got[n:], test.c0, test.c1)
		}
	}
}

// A stream is the same however it is read.
func TestStream(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom([]*Params{Cat1Fast, Cat3Fast, Cat5Fast}).Draw(t, "set")
		seed := drawn(t, p.SeedSize(), "seed")
		c := p.NewCipher()
		c.SetSeed(seed)
		n := p.BlockSize()
		whole := make([]byte, 20*n)
		for i := range 20 {
			in := make([]byte, n)
			binary.LittleEndian.PutUint64(in, uint64(i))
			c.Encrypt(whole[i*n:], in)
		}

		s := NewStream(c, seed)
		at := 0
		for range rapid.IntRange(1, 20).Draw(t, "reads") {
			if rapid.Bool().Draw(t, "seek") {
				at = rapid.IntRange(0, len(whole)).Draw(t, "at")
				s.Seek(at)
			}
			got := make([]byte, rapid.IntRange(0, min(3*n, len(whole)-at)).Draw(t, "bytes"))
			s.Read(got)
			if !bytes.Equal(got, whole[at:at+len(got)]) {
				t.Fatalf("λ = %d: %d bytes from %d on are %x, want %x", p.Lambda, len(got), at, got, whole[at:at+len(got)])
			}
			at += len(got)
		}
	})
}
