package firmware_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"socsim/firmware"
	"socsim/internal/nistkat"
	"socsim/pqc/falcon"
	"socsim/pqc/xof"
	"socsim/soc"
)

// onePair is the first byte of a seed, zeros behind, whose first pair f, g becomes a key:
// others take up to a hundred, which only costs time.
func onePair(set, hash string) []string {
	first := map[string]byte{
		"512 shake": 1, "512 shake12": 0, "512 ascon": 6, "512 ascon8": 11, "512 ascon128": 2,
		"1024 shake": 15, "1024 shake12": 7, "1024 ascon": 21, "1024 ascon8": 22, "1024 ascon128": 9,
	}[set+" "+hash]
	return []string{"-p", set, "-seed", hexArg(append([]byte{first}, make([]byte, 47)...))}
}

func newFalcon(t *testing.T, set string, family xof.Family) *falcon.Scheme {
	t.Helper()
	p, err := falcon.SetByName(set)
	if err != nil {
		t.Fatal(err)
	}
	s, err := falcon.New(p, family)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// falconKey is the reference's key of a seed that begins with 1.
func falconKey(t *testing.T, set string) (s *falcon.Scheme, sk, pk []byte) {
	t.Helper()
	s = newFalcon(t, set, xof.SHAKE)
	sk, pk, err := s.KeyGen(append([]byte{1}, make([]byte, falcon.SeedSize-1)...))
	if err != nil {
		t.Fatal(err)
	}
	return s, sk, pk
}

// Both sets and formats, in software and over accelerators: the reference gets the same,
// with as many permutations.
func TestFalconSets(t *testing.T) {
	for _, tt := range []struct {
		set, accel, hash, args string
		quick                  bool
	}{
		{"512", "none", "shake", "", true},
		{"512", "shake-ram", "shake", "-padded", false},
		{"1024", "shake-fifo", "shake", "", false},
		{"1024", "shake12-reg", "shake12", "-padded", false},
		{"1024", "ascon-fifo", "ascon", "-msg len:5000", false},
	} {
		t.Run(tt.set+" "+tt.accel, func(t *testing.T) {
			if testing.Short() && !tt.quick {
				t.Skip("takes half a second")
			}
			t.Parallel()
			r, f := recorded(t, "falcon.elf", tt.accel, append(onePair(tt.set, tt.hash), append(strings.Fields(tt.args), "-nodigest")...)...)
			if err := r.right(); err != nil {
				t.Fatal(err)
			}
			sameWork(t, r, tt.accel)
			sig := f[len(f)-1][firmware.RoleSignature]
			if padded := len(sig) == map[string]int{"512": 666, "1024": 1280}[tt.set]; padded != strings.Contains(tt.args, "-padded") {
				t.Errorf("a signature of %d bytes", len(sig))
			}
		})
	}
}

func TestFalconAccelerators(t *testing.T) {
	everyAccelerator(t, "falcon.elf", func(hash string) []string { return append(onePair("512", hash), "-nodigest") })
}

// falconEntry is the text of an entry of a file of known answers, made by the firmware.
func falconEntry(t *testing.T, set string, padded bool, count int, seed [nistkat.SeedSize]byte, m []byte) string {
	t.Helper()
	drbg := nistkat.New(seed)
	args := []string{"-p", set, "-seed", hexArg(drbg.Bytes(falcon.SeedSize)), "-nonce", hexArg(drbg.Bytes(falcon.NonceSize)),
		"-signseed", hexArg(drbg.Bytes(falcon.SeedSize)), "-msg", hexArg(m), "-nodigest"}
	if padded {
		args = append(args, "-padded")
	}
	r, f := recorded(t, "falcon.elf", "shake-fifo", args...)
	if err := r.right(); err != nil {
		t.Fatal(err)
	}
	sig := f[1][firmware.RoleSignature]
	sm := append(bytes.Clone(sig), m...)
	if !padded {
		sm = falconSignedMessage(sig, m)
	}
	return nistkat.Entry(nistkat.Field{Name: "count", Value: count}, nistkat.Field{Name: "seed", Value: seed[:]},
		nistkat.Field{Name: "mlen", Value: len(m)}, nistkat.Field{Name: "msg", Value: m},
		nistkat.Field{Name: "pk", Value: f[0][firmware.RolePublicKey]}, nistkat.Field{Name: "sk", Value: f[0][firmware.RoleSecretKey]},
		nistkat.Field{Name: "smlen", Value: len(sm)}, nistkat.Field{Name: "sm", Value: sm})
}

// falconSignedMessage is the submission's form of message and signature: length of what
// follows the message, nonce, message, another header, s₂.
func falconSignedMessage(sig, m []byte) []byte {
	rest := append([]byte{sig[0] - 0x10}, sig[1+falcon.NonceSize:]...)
	sm := append([]byte{byte(len(rest) >> 8), byte(len(rest))}, sig[1:1+falcon.NonceSize]...)
	return append(append(sm, m...), rest...)
}

// Files of known answers, made by the firmware: the digests are those of TestKATFile in
// pqc/falcon, which were published. All 100 entries with -long.
func TestFalconKAT(t *testing.T) {
	for _, file := range []struct {
		set        string
		padded     bool
		first, all string
	}{
		{"512", false, "da27fe8a462de7307ddf1f9b00072a457d9c5b14e838c148fbe2662094b9a2ca",
			"f4f23c1153682007d5dec02c35e47061c17900fcf0adb3fd0437f1988fa13655"},
		{"1024", false, "e699d88eb214fef30597385f40814baeb84ac505d5f05f5c257b0726fc4530b8",
			"46f9682ebf6fd31bae60c3191ed1a6c56aa09fb4945a266f86732a90c6c4db67"},
		{"512", true, "91842d41138e7cfaf6e2e8f12a03c3b3411302255121e4d07d02f91a003c0395",
			"362ecc0537ca1fe25143fb7ccb04de8ee7703469d13ebcf311ab124a5c374a65"},
		{"1024", true, "ddcc5683293388249e6fe85e992ea19d0986d34e060a44f82bc3db524a8c8390",
			"907a4931ddc2ce8360478a45f1bffededd6a04015b00233ecd851a62ecba06c1"},
	} {
		t.Run(fmt.Sprint(file.set, " padded ", file.padded), func(t *testing.T) {
			if testing.Short() {
				t.Skip("takes half a second")
			}
			t.Parallel()
			entries := 1
			if *long {
				entries = 100
			}
			h := sha256.New()
			seeds := nistkat.File()
			for i := range entries {
				seed := seeds.Seed()
				m := seeds.Bytes(33 * (i + 1))
				if i > 0 {
					h.Write([]byte("\n"))
				}
				h.Write([]byte(falconEntry(t, file.set, file.padded, i, seed, m)))
				if sum := hex.EncodeToString(h.Sum(nil)); i == 0 && sum != file.first {
					t.Errorf("first entry has SHA-256 %s, want %s", sum, file.first)
				}
			}
			if sum := hex.EncodeToString(h.Sum(nil)); entries == 100 && sum != file.all {
				t.Errorf("all entries have SHA-256 %s, want %s", sum, file.all)
			}
		})
	}
}

// The submission's vectors: the firmware's signatures, by keys of which it makes the first
// ones, or all with -long. What it makes of a file folds into one digest (SHA-256 of the
// signed messages).
func TestFalconVectors(t *testing.T) {
	type vector struct{ Msg, PK, SK, SM, KeygenSeed, Nonce, SignSeed string }
	for _, file := range []struct {
		set, sum string
		keys     int
	}{
		{"512", "2aa56b1d7917f9c4b5a7283fbe572c51979112d914c90002e68f41feb380edc9", 2},
		{"1024", "80c392fbe8cf07fe335e8c3fab48f1ff4da73c0fea86487ecfe66786d7cda4de", 1},
	} {
		t.Run(file.set, func(t *testing.T) {
			t.Parallel()
			h := sha256.New()
			for i, v := range vectors[vector](t, "falcon/falcon"+file.set+"-kat.json") {
				if testing.Short() && i != 1 {
					continue
				}
				args := []string{"-p", file.set, "-nonce", "hex:" + v.Nonce, "-signseed", "hex:" + v.SignSeed, "-msg", "hex:" + v.Msg}
				keygen := (i < file.keys || *long) && !testing.Short()
				if keygen {
					args = append(args, "-seed", "hex:"+v.KeygenSeed)
				} else {
					args = append(args, "-op", "sign,verify", "-sk", "hex:"+v.SK, "-pk", "hex:"+v.PK)
				}
				r, f := recorded(t, "falcon.elf", "shake-lsu", args...)
				if err := r.right(); err != nil {
					t.Fatalf("vector %d: %v", i, err)
				}
				sameWork(t, r, "shake-lsu")
				m, err := hex.DecodeString(v.Msg)
				if err != nil {
					t.Fatal(err)
				}
				sm := falconSignedMessage(f[len(f)-1][firmware.RoleSignature], m)
				h.Write(sm)
				if hex.EncodeToString(sm) != strings.ToLower(v.SM) {
					t.Errorf("vector %d: another signature", i)
				}
				for _, line := range []string{digest(t, "pk", v.PK), digest(t, "sk", v.SK)} {
					if keygen && !strings.Contains(r.out, line) {
						t.Errorf("vector %d: no line %sin\n%s", i, line, r.out)
					}
				}
			}
			if sum := hex.EncodeToString(h.Sum(nil)); !testing.Short() && sum != file.sum {
				t.Errorf("the firmware's signatures have SHA-256 %s, want %s", sum, file.sum)
			}
		})
	}
}

// Bad signatures of every kind there is, made from a good one: the firmware rejects what
// the reference rejects, with as many permutations, and a good one stays good.
func TestFalconRejects(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	s, sk, pk := falconKey(t, "512")
	m := []byte("message")
	nonce, seed := make([]byte, falcon.NonceSize), make([]byte, falcon.SeedSize)
	sign := func(format falcon.Format) []byte {
		sig, err := s.Sign(m, sk, nonce, seed, format)
		if err != nil {
			t.Fatal(err)
		}
		return sig
	}
	short, padded := sign(falcon.Compressed), sign(falcon.Padded)
	spoil := func(good []byte, change func(sig []byte) []byte) []byte { return change(bytes.Clone(good)) }
	set := func(at int, to byte) func([]byte) []byte {
		return func(sig []byte) []byte { sig[at] = to; return sig }
	}
	cut := func(n int) func([]byte) []byte { return func(sig []byte) []byte { return sig[:n] } }
	more := func(b ...byte) func([]byte) []byte {
		return func(sig []byte) []byte { return append(sig, b...) }
	}
	for _, test := range []struct {
		name string
		sig  []byte
		pk   []byte
		good bool
	}{
		{"compressed", short, pk, true},
		{"padded", padded, pk, true},
		{"header of another set", spoil(short, set(0, 0x3a)), pk, false},
		{"header of constant length", spoil(short, set(0, 0x59)), pk, false},
		{"nonce", spoil(short, set(1, 0xff)), pk, false},
		{"s2", spoil(short, set(41, short[41]^1)), pk, false},
		{"s2 all zero bits", spoil(short, func(sig []byte) []byte { clear(sig[41:]); return sig }), pk, false},
		{"s2 all one bits", spoil(short, func(sig []byte) []byte { copy(sig[41:], bytes.Repeat([]byte{0xff}, len(sig)-41)); return sig }), pk, false},
		{"minus zero", spoil(short, func(sig []byte) []byte { sig[41], sig[42] = 0x80, 0x80|sig[42]; return sig }), pk, false},
		{"cut", spoil(short, cut(len(short)-1)), pk, false},
		{"nonce alone", spoil(short, cut(41)), pk, false},
		{"less than a nonce", spoil(short, cut(40)), pk, false},
		{"nothing", nil, pk, false},
		{"a zero more", spoil(short, more(0)), pk, false},
		{"a bit in the last byte", spoil(short, set(len(short)-1, short[len(short)-1]|1)), pk, false},
		{"padding is one byte short", spoil(padded, cut(665)), pk, false},
		{"padding is one byte long", spoil(padded, more(0)), pk, false},
		{"padding is not zero", spoil(padded, set(665, 1)), pk, false},
		{"as long as the room for it", spoil(padded, more(make([]byte, 1462+256-666)...)), pk, false},
		{"public key of another set", short, spoil(pk, set(0, 0x0a)), false},
		{"h above q", short, spoil(pk, set(1, 0xff)), false},
		{"h", short, spoil(pk, set(1, pk[1]^1)), false},
	} {
		if accepted := s.Verify(m, test.sig, test.pk) == nil; accepted != test.good {
			t.Errorf("%s: the reference accepts: %v", test.name, accepted)
		}
		r, _ := recorded(t, "falcon.elf", "shake-fifo", "-op", "verify", "-pk", hexArg(test.pk), "-sig", hexArg(test.sig), "-msg", hexArg(m))
		code := 1
		if test.good {
			code = 0
		}
		if r.Exit.Code != code || r.Verified == nil || !*r.Verified {
			t.Errorf("%s: exit code %d, verified %v %+v, output\n%s%s", test.name, r.Exit.Code, r.Verified, r.outcomes, r.out, r.errors)
			continue
		}
		sameWork(t, r, "shake-fifo")
	}
}

// smallOf reads n coefficients of so many bits from a secret key.
func smallOf(b []byte, n, width int) []int {
	f := make([]int, n)
	for i := range f {
		v := 0
		for bit := i * width; bit < (i+1)*width; bit++ {
			v = v<<1 | int(b[bit/8]>>(7-bit%8)&1)
		}
		f[i] = v
		if v >= 1<<(width-1) {
			f[i] = v - 1<<width
		}
	}
	return f
}

// s2Of and sigOf are Decompress and Compress (Algorithms 18 and 17), bit by bit.
func s2Of(sig []byte, n int) []int {
	at := 8 * (1 + falcon.NonceSize)
	next := func() int { at++; return int(sig[(at-1)/8] >> (7 - (at-1)%8) & 1) }
	s2 := make([]int, n)
	for i := range s2 {
		sign, v := next(), 0
		for range 7 {
			v = v<<1 | next()
		}
		for next() == 0 {
			v += 128
		}
		s2[i] = v * (1 - 2*sign)
	}
	return s2
}

func sigOf(head []byte, s2 []int) []byte {
	bits := ""
	for _, v := range s2 {
		sign := "0"
		if v < 0 {
			sign, v = "1", -v
		}
		bits += sign + fmt.Sprintf("%07b", v%128) + strings.Repeat("0", v/128) + "1"
	}
	out := append(bytes.Clone(head), make([]byte, (len(bits)+7)/8)...)
	for i, b := range bits {
		out[len(head)+i/8] |= byte(b-'0') << (7 - i%8)
	}
	return out
}

// Vectors that grow longer, by multiples of (g, -f), until they are not short: firmware and
// reference draw the line at the same place.
func TestFalconNorm(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const n = 512
	s, sk, pk := falconKey(t, "512")
	m := []byte("message")
	sig, err := s.Sign(m, sk, make([]byte, falcon.NonceSize), make([]byte, falcon.SeedSize), falcon.Compressed)
	if err != nil {
		t.Fatal(err)
	}
	f, s2 := smallOf(sk[1:], n, 6), s2Of(sig, n)
	if !bytes.Equal(sigOf(sig[:41], s2), sig) {
		t.Fatal("the signature does not come back")
	}
	verdicts := map[bool]int{}
	line := 0 // how often (g, -f) was added when it was too much
	long := func(times int) []byte {
		v := slices.Clone(s2)
		for k := range times { // x^k f, the sign by chance
			for i, c := range f {
				if k*k%7%2 == 0 {
					c = -c
				}
				if i+k%n >= n {
					c = -c
				}
				v[(i+k)%n] -= c
			}
		}
		return sigOf(sig[:41], v)
	}
	for line = 0; s.Verify(m, long(line), pk) == nil; line++ {
		if line == 3*n {
			t.Fatal("it stays short")
		}
	}
	for _, times := range []int{1, line - 1, line, line + 20} {
		good := s.Verify(m, long(times), pk) == nil
		verdicts[good]++
		r, _ := recorded(t, "falcon.elf", "shake-fifo", "-op", "verify", "-pk", hexArg(pk), "-sig", hexArg(long(times)), "-msg", hexArg(m))
		if (r.Exit.Code == 0) != good || r.Verified == nil || !*r.Verified {
			t.Errorf("%d times: exit code %d, verified %v %+v, output\n%s%s", times, r.Exit.Code, r.Verified, r.outcomes, r.out, r.errors)
		}
	}
	if verdicts[true] < 2 || verdicts[false] < 1 {
		t.Errorf("verdicts %v around %d", verdicts, line)
	}
}

// Secret keys that are none: signing fails as the reference's does, and comes to an end.
func TestFalconBadKeys(t *testing.T) {
	_, sk, _ := falconKey(t, "512")
	change := func(at int, to byte) []byte {
		b := bytes.Clone(sk)
		b[at] = to
		return b
	}
	const f, g, bigF = 1, 1 + 384, 1 + 2*384
	copied := bytes.Clone(sk) // F = f and so G = g: fG - gF is 0, which is q modulo q
	for i, c := range smallOf(sk[f:], 512, 6) {
		copied[bigF+i] = byte(c)
	}
	for _, test := range []struct {
		name string
		sk   []byte
	}{
		{"header", change(0, 0x5a)},
		{"f of -32", change(f, 0x80)},
		{"g of -32", change(g, 0x80)},
		{"F of -128", change(bigF+7, 0x80)},
		{"no G", change(bigF+7, sk[bigF+7]^1)},
		{"f is zero", append([]byte{sk[0]}, append(make([]byte, 384), sk[g:]...)...)},
		{"F is f", copied},
	} {
		r, _ := recorded(t, "falcon.elf", "none", "-op", "sign", "-sk", hexArg(test.sk))
		if r.Exit.Code != 1 || !strings.Contains(r.out, "[FAIL] sign makes no signature") || r.Verified == nil || !*r.Verified {
			t.Errorf("%s: exit code %d, verified %v %+v, output\n%s%s", test.name, r.Exit.Code, r.Verified, r.outcomes, r.out, r.errors)
		}
	}
}

// N runs have the inputs they are said to have, and as many attempts as the reference.
func TestFalconRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a second")
	}
	const n = 3
	r, fields := recorded(t, "falcon.elf", "shake-fifo", "-n", fmt.Sprint(n))
	if err := r.right(); err != nil {
		t.Fatal(err)
	}
	s := newFalcon(t, "512", xof.SHAKE)
	seed, nonce, m := make([]byte, falcon.SeedSize), make([]byte, falcon.NonceSize), make([]byte, 33)
	for i := range seed {
		seed[i] = byte(i)
	}
	copy(nonce, seed)
	copy(m, seed)
	var sks, pks, sigs bytes.Buffer
	pairs := 0
	for i := range byte(n) {
		seed[0], nonce[0], m[0] = i, i, i
		sk, pk, err := s.KeyGen(seed)
		if err != nil {
			t.Fatal(err)
		}
		pairs += s.Attempts()
		sig, err := s.Sign(m, sk, nonce, seed, falcon.Compressed)
		if err != nil {
			t.Fatal(err)
		}
		sks.Write(sk)
		pks.Write(pk)
		sigs.Write(sig)
	}
	for _, line := range []string{
		digest(t, "sk", hex.EncodeToString(sks.Bytes())),
		digest(t, "pk", hex.EncodeToString(pks.Bytes())),
		digest(t, "sig", hex.EncodeToString(sigs.Bytes())),
		fmt.Sprintf(" mean %d.%d min ", pairs/n, (10*pairs+n/2)/n%10),
	} {
		if !strings.Contains(r.out, line) {
			t.Errorf("no %q in\n%s", line, r.out)
		}
	}
	if len(fields) != 3*n || len(r.outcomes) != 3*n {
		t.Errorf("%d operations were recorded and %d checked, want those of %d runs", len(fields), len(r.outcomes), n)
	}
}

func TestFalconArguments(t *testing.T) {
	if testing.Short() {
		t.Skip("many runs")
	}
	for _, tt := range []struct{ args, want string }{
		{"-p 768", "-p: no parameter set"},
		{"-op encaps", "-op: no operation \"encaps\""},
		{"-variant fips206", "-variant: no variant"},
		{"-seed len:47", "-seed: 47 bytes, set 512 wants 48"},
		{"-nonce len:41", "-nonce: "},
		{"-signseed len:47", "-signseed: 47 bytes"},
		{"-sk len:1281", "-sk: keygen makes"},
		{"-op sign -sk len:1280", "-sk: 1280 bytes, set 512 wants 1281"},
		{"-op sign,verify -sk len:1281", "-sk: verify needs"},
		{"-op verify -pk len:897", "-pk: needs"},
		{"-pk len:897", "-pk: is for"},
		{"-sig len:5", "-sig: is for"},
		{"-op verify -sig len:1721", "-sig: "},
		{"-n 2 -msg str:abc", "-n: the message has 3 bytes"},
		{"-msg len:65537", "-msg: "},
		{"-msg", "-msg: its value is missing"},
		{"-variant r4", "-variant: no variant \"r4\"; there is r3"},
		{"-constant", "-constant: no such flag; there are -p -op -variant -n -hash -ram -wait -nodigest -seed -sk -pk -sig -msg -nonce -signseed -padded"},
	} {
		r := start(t, soc.Options{Name: "falcon.elf", Args: strings.Fields(tt.args)}, nil)
		if r.Exit.Code != 2 || r.out != "" || !strings.HasPrefix(r.errors, "falcon: "+tt.want) || strings.Count(r.errors, "\n") != 1 {
			t.Errorf("%s: exit code %d, output %q, error %q; want 2, nothing, one line with %q", tt.args, r.Exit.Code, r.out, r.errors, tt.want)
		}
	}
}

// Operations by themselves, and every way to give what they need.
func TestFalconOperations(t *testing.T) {
	s, sk, pk := falconKey(t, "512")
	m := []byte{0, 1, 2}
	sig, err := s.Sign(m, sk, make([]byte, falcon.NonceSize), make([]byte, falcon.SeedSize), falcon.Compressed)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args     []string
		prepared string
	}{
		{[]string{"-op", "verify", "-pk", hexArg(pk), "-sig", hexArg(sig)}, ""},
		{[]string{"-op", "sign,verify", "-sk", hexArg(sk), "-pk", hexArg(pk), "-padded"}, ""},
		{append(onePair("512", "shake"), "-op", "verify"), "keygen sign"},
	} {
		if testing.Short() && tt.prepared != "" {
			continue
		}
		r, _ := recorded(t, "falcon.elf", "shake-fifo", append(slices.Clip(tt.args), "-msg", "len:3")...)
		if err := r.right(); err != nil {
			t.Errorf("%s: %v", tt.args[:2], err)
		}
		for _, operation := range []string{"keygen", "sign"} {
			if strings.Contains(tt.prepared, operation) != strings.Contains(r.out, "[PRE] "+operation) {
				t.Errorf("%s: output\n%s", tt.args[:2], r.out)
			}
		}
	}
}
