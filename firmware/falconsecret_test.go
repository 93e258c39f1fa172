package firmware_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"socsim/firmware"
	"socsim/pqc/falcon"
	"socsim/pqc/xof"
	"socsim/soc"
	"socsim/soc/elf"
)

// wordsOf writes an integer as n words of 31 bits, the lowest first.
func wordsOf(x *big.Int, n int) (b []byte) {
	low := big.NewInt(1<<31 - 1)
	for i := range n {
		w := new(big.Int).Rsh(x, uint(31*i))
		b = binary.LittleEndian.AppendUint32(b, uint32(w.And(w, low).Uint64()))
	}
	return b
}

func integerOf(b []byte) *big.Int {
	x := new(big.Int)
	for i := len(b) - 4; i >= 0; i -= 4 {
		x.Lsh(x, 31).Or(x, new(big.Int).SetUint64(uint64(binary.LittleEndian.Uint32(b[i:]))))
	}
	return x
}

// Bezout's factors of integers that key generation hardly ever meets, among them 1, the
// largest, and such without; and they take as long for all integers of a length.
func TestFalconBezout(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	number := func(bits int) *big.Int {
		x := new(big.Int)
		for range bits/64 + 1 {
			x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(r.Uint64()))
		}
		x.Rsh(x, uint(x.BitLen()-min(bits, x.BitLen())))
		return x.SetBit(x, 0, 1)
	}
	lengths := []int{1, 2, 7, 53}
	if !testing.Short() {
		lengths = append(lengths, 106, 209)
	}
	one := big.NewInt(1)
	for _, n := range lengths {
		top := 31 * n
		largest := new(big.Int).Sub(new(big.Int).Lsh(one, uint(top)), one)
		pairs := [][2]*big.Int{
			{one, one}, {one, largest}, {largest, one}, {largest, largest},
			{largest, new(big.Int).Sub(largest, big.NewInt(2))}, {number(top), number(top / 2)}, {number(3), number(top)},
			{new(big.Int).SetBit(new(big.Int), top-1, 1), number(top)}, // even
			{new(big.Int).Mul(number(top/2), big.NewInt(3)), new(big.Int).Mul(number(top/2-2), big.NewInt(3))},
		}
		for range 8 {
			pairs = append(pairs, [2]*big.Int{number(top - r.IntN(20)), number(top - r.IntN(20))})
		}
		var calls []guestCall
		var data []byte
		size := uint32(4 * n)
		at := func(i, k int) uint32 { return callData + size*uint32(4*i+k) }
		for i, p := range pairs {
			data = append(data, make([]byte, 2*size)...)
			data = append(append(data, wordsOf(p[0], n)...), wordsOf(p[1], n)...)
			calls = append(calls, guestCall{"memory_begin", [8]uint32{}},
				guestCall{"z_bezout", [8]uint32{at(i, 0), at(i, 1), at(i, 2), at(i, 3), uint32(n)}})
		}
		results, after := callAll(t, "falcon.elf", data, calls, nil)
		for i, p := range pairs {
			x, y, got := p[0], p[1], results[2*i+1]
			u, v := integerOf(after[size*uint32(4*i):][:size]), integerOf(after[size*uint32(4*i+1):][:size])
			want := x.Bit(0) == 1 && new(big.Int).GCD(nil, nil, x, y).Cmp(one) == 0
			if got.a[0] == 1 != want {
				t.Errorf("%d words, pair %d: there are factors: %v, want %v", n, i, got.a[0], want)
				continue
			}
			e := new(big.Int).Mul(x, u)
			if e.Sub(e, new(big.Int).Mul(y, v)); want && (e.Cmp(one) != 0 || u.Sign() <= 0 || u.Cmp(y) > 0 || v.Cmp(x) >= 0) {
				t.Errorf("%d words: %v*%v - %v*%v is %v", n, x, u, y, v, e)
			}
			if got.cycles != results[1].cycles {
				t.Errorf("%d words, pair %d: %d cycles, the first took %d", n, i, got.cycles, results[1].cycles)
			}
		}
	}
}

// BaseSampler (Algorithm 12) on both sides of each entry of its table, table 3.1 of the
// specification, and at both ends of the numbers; SamplerZ around it takes the first sample.
func TestFalconBaseSampler(t *testing.T) {
	table := []string{
		"3024686241123004913666", "1564742784480091954050", "636254429462080897535", "199560484645026482916",
		"47667343854657281903", "8595902006365044063", "1163297957344668388", "117656387352093658", "8867391802663976",
		"496969357462633", "20680885154299", "638331848991", "14602316184", "247426747", "3104126", "28824", "198",
		"1",
	}
	const size = 576 // of struct chacha: key, counter, place, buffer
	var data []byte
	var calls []guestCall
	var want []uint32
	inverse, least := math.Float64bits(0.55), math.Float64bits(1.3)
	add := func(v *big.Int, z uint32) {
		b := make([]byte, size)
		number := v.FillBytes(make([]byte, 9))
		slices.Reverse(number)
		copy(b[60:], number)
		b[60+9] = 1 // the sign: z+1; zeros behind, which accept
		address := callData + uint32(len(data))
		data = append(data, b...)
		calls = append(calls, guestCall{"sample", [8]uint32{address, 0, 0, uint32(inverse), uint32(inverse >> 32), uint32(least), uint32(least >> 32)}})
		want = append(want, z+1)
	}
	for i, text := range table {
		v, _ := new(big.Int).SetString(text, 10)
		add(new(big.Int).Sub(v, big.NewInt(1)), uint32(i+1))
		add(v, uint32(i))
	}
	add(new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 72), big.NewInt(1)), 0)
	// The last nine bytes of a buffer are not a number's: from place 502 on it is all ones and
	// the next byte comes from a new buffer, which begins with 0x76 and accepts; at 503 the
	// number does, too, as at 511.
	for _, place := range []uint32{502, 503, 511} {
		address := callData + uint32(len(data))
		b := bytes.Repeat([]byte{0xff}, size)
		clear(b[:60])
		binary.LittleEndian.PutUint32(b[56:], place)
		data = append(data, b...)
		calls = append(calls, guestCall{"sample", [8]uint32{address, 0, 0, uint32(inverse), uint32(inverse >> 32), uint32(least), uint32(least >> 32)}})
	}
	results, after := callAll(t, "falcon.elf", data, calls, nil)
	for i, z := range want {
		if r := results[i]; r.a[0] != z {
			t.Errorf("call %d: %d, want %d", i, int32(r.a[0]), z)
		}
	}
	place := func(i int) uint32 { return binary.LittleEndian.Uint32(after[size*i+56:]) }
	if n := len(want); results[n].a[0] != 1 || place(n) != 1 || place(n+1) != place(n+2) {
		t.Errorf("from place 502: %d, and then at %d, want 1 and 1; from 503 then at %d, from 511 at %d", int32(results[n].a[0]), place(n), place(n+1), place(n+2))
	}
}

// Transforms take as long for all numbers.
func TestFalconFFT(t *testing.T) {
	const m, polys = 256, 4
	r := rand.New(rand.NewPCG(1, 61))
	var data []byte
	for p := range polys {
		for range 2 * m {
			x := math.Ldexp(float64(r.IntN(255)-127), 20*p) // the first one has numbers as f has
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		}
	}
	for _, function := range []string{"fft", "ifft"} {
		var calls []guestCall
		for p := range polys {
			calls = append(calls, guestCall{function, [8]uint32{callData + uint32(16*m*p), m}})
		}
		results, _ := callAll(t, "falcon.elf", data, calls, nil)
		for p := range polys {
			if results[p].cycles != results[0].cycles {
				t.Errorf("%s: %d cycles, and %d", function, results[p].cycles, results[0].cycles)
			}
		}
	}
}

// trace follows one call of a function: how often every instruction ran, and the
// addresses it accessed, folded into a number.
type trace struct {
	from, ra, back uint32
	active         bool
	count          map[uint32]uint64
	addresses      map[uint32]uint64
}

func (c *trace) see(i soc.Instruction) {
	if i.RdValid && i.Rd == 1 {
		c.ra = i.RdValue
	}
	if i.PC == c.from {
		c.active, c.back = true, c.ra
	}
	if c.active && i.PC == c.back {
		c.active = false
	}
	if !c.active {
		return
	}
	c.count[i.PC]++
	if i.MemValid {
		c.addresses[i.PC] = c.addresses[i.PC]*0x9e3779b97f4a7c15 + uint64(i.MemAddr)
	}
}

// Two keys, and two messages: outside of the functions that the scheme has draw again,
// every instruction runs as often and accesses the same addresses. Those functions do not
// touch secrets by address either; what they call is tested above and in TestFPR.
func TestFalconConstantTime(t *testing.T) {
	if !*long {
		t.Skip("follows 300 million instructions; -long")
	}
	data, err := firmware.ELF("falcon.elf")
	if err != nil {
		t.Fatal(err)
	}
	file, err := elf.Parse("falcon.elf", data)
	if err != nil {
		t.Fatal(err)
	}
	var seeds [][]byte // of keys whose first pair f, g is taken
	s := newFalcon(t, "512", xof.SHAKE)
	for i := byte(0); len(seeds) < 2; i++ {
		seed := append([]byte{i}, make([]byte, falcon.SeedSize-1)...)
		if _, _, err := s.KeyGen(seed); err != nil {
			t.Fatal(err)
		}
		if s.Attempts() == 1 {
			seeds = append(seeds, seed)
		}
	}
	for _, test := range []struct {
		operation string
		again     []string // functions that draw again, and what these call as often
	}{
		{"keygen", []string{"generate", "gaussian_poly", "soft_squeeze", "keccak_squeeze", "put_lanes", "keccak_p1600", "memcpy"}},
		{"sign", []string{"sample", "refill", "message_point", "compress", "fpr_add", "fpr_mul", "fpr_of", "fpr_floor", "fpr_scaled63",
			"soft_squeeze", "keccak_squeeze", "put_lanes", "keccak_p1600", "memcpy"}},
	} {
		var traces []*trace
		from, ok := file.Lookup(test.operation)
		if !ok {
			t.Fatalf("no function %s", test.operation)
		}
		for i, seed := range seeds {
			c := &trace{from: from.Addr, count: map[uint32]uint64{}, addresses: map[uint32]uint64{}}
			s, err := soc.New(soc.Options{Name: "falcon.elf", ELF: data, Console: io.Discard,
				Args: []string{"-op", "keygen,sign", "-seed", hexArg(seed), "-msg", "str:" + []string{"abcd", "efgh"}[i], "-nodigest"}})
			if err != nil {
				t.Fatal(err)
			}
			s.Observe(soc.Observer{Instruction: c.see})
			if r, err := s.Run(context.Background()); err != nil || r.Exit.Code != 0 {
				t.Fatal(err, r)
			}
			traces = append(traces, c)
		}
		function := func(pc uint32) (name string) {
			for _, name := range file.Names(elf.Function) {
				if f, _ := file.Lookup(name); pc >= f.Addr && pc < f.Addr+f.Size {
					return name
				}
			}
			return "?"
		}
		compared, bad := 0, map[string]uint32{}
		for pc, n := range traces[0].count {
			name := function(pc)
			if slices.Contains(test.again, name) {
				continue
			}
			compared++
			if n != traces[1].count[pc] || traces[0].addresses[pc] != traces[1].addresses[pc] {
				bad[name] = pc
			}
		}
		for name, pc := range bad {
			t.Errorf("%s: %s depends on secrets, as at 0x%08x", test.operation, name, pc)
		}
		if compared < 500 {
			t.Errorf("%s: %d instructions were compared", test.operation, compared)
		}
	}
}
