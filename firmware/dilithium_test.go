package firmware_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"socsim/firmware"
	"socsim/internal/nistkat"
	"socsim/pqc/mldsa"
	"socsim/pqc/xof"
	"socsim/soc"
)

// Every set and variant, in software and over accelerators: the reference gets the
// same, with as many permutations.
func TestDilithiumSets(t *testing.T) {
	for _, set := range []string{"44", "65", "87"} {
		for _, variant := range []string{"fips204", "r3"} {
			for _, accelerator := range []string{"none", "shake-fifo", "shake-ram", "ascon-fifo"} {
				if testing.Short() && (set != "44" || (variant == "r3") != (accelerator == "shake-ram")) {
					continue
				}
				r, _ := recorded(t, "dilithium.elf", accelerator, "-p", set, "-variant", variant, "-nodigest")
				if err := r.right(); err != nil {
					t.Errorf("%s %s %s: %v", set, variant, accelerator, err)
					continue
				}
				sameWork(t, r, accelerator)
			}
		}
	}
}

func TestDilithiumAccelerators(t *testing.T) {
	everyAccelerator(t, "dilithium.elf", func(string) []string {
		return []string{"-p", "44", "-msg", "str:hello", "-ctx", "str:world", "-nodigest"}
	})
}

// Files of known answers, made by the firmware: the digests are those of katFiles in
// pqc/mldsa, which were published. All 100 entries of ML-DSA with -long.
func TestDilithiumKAT(t *testing.T) {
	for _, file := range []struct{ set, variant, first, all string }{
		{"44", "fips204", "9a196e7fb32fbc93757dc2d8dc1924460eab66303c0c08aeb8b798fb8d8f8cf3",
			"54322d25c05b96941aec73eb3ee27a975d38a34bfb53ef4cb9fd4a8e9cab554c"},
		{"65", "fips204", "7cb96242eac9907a55b5c84c202f0ebd552419c50b2e986dc2e28f07ecebf072",
			"47e1ca6d4a45e9853e381954cf97206eca22993deade3cade45bd9d9457c93f9"},
		{"87", "fips204", "4537905d2aabcf302fab2f242baed293459ecda7c230e6a67063b02c7e2840ed",
			"12382114979d5b64436aebfe6db02d61c07859429233105e936752cb77cc585a"},
		{"44", "r3", "faa8998108fa541309c9df5044018c5d26cc23654594bef639dd64b838646cbd", ""},
		{"65", "r3", "8439f580566c46b99449b2cbbd597ce59bcd5d184b90c1108b79a08f6bdbbcb1", ""},
		{"87", "r3", "984ea5f06b13778292f60ecc07301af76e375f1bb9f4a39d676513439e1e83a2", ""},
	} {
		t.Run(file.set+"-"+file.variant, func(t *testing.T) {
			t.Parallel()
			entries := 1
			if *long && file.all != "" {
				entries = 100
			}
			h := sha256.New()
			seeds := nistkat.File()
			for i := range entries {
				seed := seeds.Seed()
				m := seeds.Bytes(33 * (i + 1))
				drbg := nistkat.New(seed)
				args := []string{"-p", file.set, "-variant", file.variant, "-seed", hexArg(drbg.Bytes(32)), "-msg", hexArg(m), "-nodigest"}
				if file.variant == "fips204" {
					args = append(args, "-rnd", hexArg(drbg.Bytes(32)))
				}
				r, f := recorded(t, "dilithium.elf", "shake-fifo", args...)
				if err := r.right(); err != nil {
					t.Fatal(err)
				}
				if i > 0 {
					h.Write([]byte("\n"))
				}
				sm := append(f[1][firmware.RoleSignature], m...)
				h.Write([]byte(nistkat.Entry(nistkat.Field{Name: "count", Value: i}, nistkat.Field{Name: "seed", Value: seed[:]},
					nistkat.Field{Name: "mlen", Value: len(m)}, nistkat.Field{Name: "msg", Value: m},
					nistkat.Field{Name: "pk", Value: f[0][firmware.RolePublicKey]}, nistkat.Field{Name: "sk", Value: f[0][firmware.RoleSecretKey]},
					nistkat.Field{Name: "smlen", Value: len(sm)}, nistkat.Field{Name: "sm", Value: sm})))
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

// NIST's vectors of all three interfaces, bad signatures included, and those of round
// 3.1. What the firmware makes of a file folds into one digest (SHA-256 of pk, sk and
// signature, where they are outputs, and of the verdicts).
func TestDilithiumVectors(t *testing.T) {
	type vector struct {
		ParameterSet                                       string
		Seed, PK, SK, Message, Context, Mu, Rnd, Signature string
		Deterministic, TestPassed                          bool
		KeygenSeed, Msg, SM                                string
	}
	for _, file := range []struct{ name, sum string }{
		{"mldsa/keygen.json", "b283e1ff2b35f47b23bafd0da28490bb201640199b22f7919a937bddb60faf19"},
		{"mldsa/siggen-internal.json", "a06bfdd79e0473a41f542d937cf718e3a3d69c647ded98fb6f69755defe9c6b0"},
		{"mldsa/siggen-external.json", "c6722f82cb23d71ae0f4494c0dc099114443cd97442212af30857893461dd153"},
		{"mldsa/siggen-externalmu.json", "7adbd11c83b3c1afd33fe0281a332a8facdb8c3411e6ff4e6bf48aec1f7e74da"},
		{"mldsa/sigver-internal.json", "1138b41d0121f20ff80b5e1bce8982b947494c35b0a33b162e422563bd5fce98"},
		{"mldsa/sigver-external.json", "5bedd317328c9ed79ecd3aecee74d37f97813cb4ce61ef3402eb388fb369fa86"},
		{"dilithium-r3/dilithium2.json", "34f1a9ad9fc3f043702afbf70a998940970da53f257064075eccaa560365eda4"},
		{"dilithium-r3/dilithium3.json", "c3eff4336fc8d84d9b75f275c3ee991a61f3ecec9472a1a923186f491b59fdd1"},
		{"dilithium-r3/dilithium5.json", "5b435500ee0fff7b49eafa93c4481f6678bd767b3e74c443651659b550d4b123"},
	} {
		t.Run(file.name, func(t *testing.T) {
			t.Parallel()
			h := sha256.New()
			for i, v := range vectors[vector](t, file.name) {
				if testing.Short() && i%5 != 1 {
					continue
				}
				code, last := 0, "[PASS]\n"
				var args, want []string
				var outputs []firmware.Role
				switch name := file.name; {
				case strings.HasPrefix(name, "dilithium-r3/"):
					set := map[string]string{"2": "44", "3": "65", "5": "87"}[name[len("dilithium-r3/dilithium"):][:1]]
					args = []string{"-p", set, "-variant", "r3", "-seed", "hex:" + v.KeygenSeed, "-msg", "hex:" + v.Msg}
					want = []string{digest(t, "pk", v.PK), digest(t, "sk", v.SK), digest(t, "sig", v.SM[:len(v.SM)-len(v.Msg)])}
					outputs = []firmware.Role{firmware.RolePublicKey, firmware.RoleSecretKey, firmware.RoleSignature}
				case strings.HasSuffix(name, "keygen.json"):
					args = []string{"-op", "keygen", "-seed", "hex:" + v.Seed}
					want = []string{digest(t, "pk", v.PK), digest(t, "sk", v.SK)}
					outputs = []firmware.Role{firmware.RolePublicKey, firmware.RoleSecretKey}
				case strings.Contains(name, "siggen"):
					args = []string{"-op", "sign", "-sk", "hex:" + v.SK}
					if !v.Deterministic {
						args = append(args, "-rnd", "hex:"+v.Rnd)
					}
					want = []string{digest(t, "sig", v.Signature)}
					outputs = []firmware.Role{firmware.RoleSignature}
				default:
					args = []string{"-op", "verify", "-pk", "hex:" + v.PK, "-sig", "hex:" + v.Signature}
					if !v.TestPassed {
						code, last = 1, "[FAIL] verify rejects the signature\n"
					}
				}
				if v.ParameterSet != "" {
					args = append(args, "-p", strings.TrimPrefix(v.ParameterSet, "ML-DSA-"))
				}
				if v.Mu != "" {
					args = append(args, "-mu", "hex:"+v.Mu)
				} else if v.Message != "" {
					args = append(args, "-msg", "hex:"+v.Message)
				}
				if v.Context != "" {
					args = append(args, "-ctx", "hex:"+v.Context)
				}
				if strings.Contains(file.name, "-internal") {
					args = append(args, "-internal")
				}
				r, fields := recorded(t, "dilithium.elf", "shake-fifo", args...)
				if r.Exit.Code != code || !strings.HasSuffix(r.out, last) || r.Verified == nil || !*r.Verified {
					t.Errorf("vector %d: exit code %d, verified %v %+v, output\n%s", i, r.Exit.Code, r.Verified, r.outcomes, r.out)
				}
				sameWork(t, r, "shake-fifo")
				for _, line := range want {
					if !strings.Contains(r.out, line) {
						t.Errorf("vector %d: no line %sin\n%s", i, line, r.out)
					}
				}
				for _, f := range fields {
					for _, role := range outputs {
						h.Write(f[role])
					}
				}
				fmt.Fprint(h, r.Exit.Code)
			}
			if sum := hex.EncodeToString(h.Sum(nil)); !testing.Short() && sum != file.sum {
				t.Errorf("the firmware's answers have SHA-256 %s, want %s", sum, file.sum)
			}
		})
	}
}

// Bad signatures of every kind there is, made from a good one: the firmware rejects what
// the reference rejects, with as many permutations, and a good one stays good.
func TestDilithiumRejects(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	s, err := mldsa.New(mldsa.Sets[0], mldsa.FIPS204, xof.SHAKE)
	if err != nil {
		t.Fatal(err)
	}
	pk, sk, err := s.KeyGen(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	m := []byte("message")
	good, err := s.Sign(m, nil, sk, nil)
	if err != nil {
		t.Fatal(err)
	}
	hints := len(good) - 84 // ω = 80, k = 4
	for _, test := range []struct {
		name   string
		change func(sig []byte) []byte
	}{
		{"", func(sig []byte) []byte { return sig }},
		{"c̃", func(sig []byte) []byte { sig[31] ^= 1; return sig }},
		{"z", func(sig []byte) []byte { sig[1000] ^= 1; return sig }},
		{"z too large", func(sig []byte) []byte { sig[32], sig[33], sig[34] = 0, 0, sig[34]&^3; return sig }},
		{"last z too large", func(sig []byte) []byte { sig[hints-1], sig[hints-2] = 0xff, 0xff; return sig }},
		{"hints descend", func(sig []byte) []byte { sig[hints], sig[hints+1] = sig[hints+1], sig[hints]; return sig }},
		{"a hint twice", func(sig []byte) []byte { sig[hints+1] = sig[hints]; return sig }},
		{"hints end before they begin", func(sig []byte) []byte { sig[hints+82] = sig[hints+81] - 1; return sig }},
		{"too many hints", func(sig []byte) []byte { sig[hints+83] = 81; return sig }},
		{"one hint more", func(sig []byte) []byte { sig[hints+83]++; return sig }},
		{"padding", func(sig []byte) []byte { sig[hints+79] = 1; return sig }},
		{"cut", func(sig []byte) []byte { return sig[:len(sig)-1] }},
		{"longer", func(sig []byte) []byte { return append(sig, 0) }},
		{"empty", func(sig []byte) []byte { return nil }},
	} {
		sig := test.change(bytes.Clone(good))
		if accepted := s.Verify(m, sig, nil, pk) == nil; accepted != (test.name == "") {
			t.Errorf("%s: the reference accepts: %v", test.name, accepted)
		}
		r, _ := recorded(t, "dilithium.elf", "shake-fifo", "-p", "44", "-op", "verify", "-pk", hexArg(pk), "-sig", hexArg(sig), "-msg", hexArg(m))
		code := 1
		if test.name == "" {
			code = 0
		}
		if r.Exit.Code != code || r.Verified == nil || !*r.Verified {
			t.Errorf("%s: exit code %d, verified %v %+v, output\n%s", test.name, r.Exit.Code, r.Verified, r.outcomes, r.out)
		}
		sameWork(t, r, "shake-fifo")
	}
}

// The check that hardly ever rejects, as TestLargeT0 of pqc/mldsa has it: a polynomial of
// t₀ with all coefficients 4096, which is packed as 0, and others of 0.
func TestDilithiumLargeT0(t *testing.T) {
	s, err := mldsa.New(mldsa.Sets[0], mldsa.FIPS204, xof.SHAKE)
	if err != nil {
		t.Fatal(err)
	}
	_, sk, err := s.KeyGen(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	const size = 416
	t0 := sk[len(sk)-4*size:]
	clear(t0)
	for bit := 8*size + 12; bit < 8*len(t0); bit += 13 {
		t0[bit/8] |= 1 << (bit % 8)
	}
	r, _ := recorded(t, "dilithium.elf", "shake-fifo", "-p", "44", "-op", "sign", "-sk", hexArg(sk), "-msg", hexArg([]byte("message 876")))
	if err := r.right(); err != nil {
		t.Error(err)
	}
	if line := "[TRY] sign 44 10\n"; !strings.Contains(r.out, line) {
		t.Errorf("no line %sin\n%s", line, r.out)
	}
}

// The three interfaces and hedged signing: signatures are the reference's.
func TestDilithiumInterfaces(t *testing.T) {
	for _, args := range []string{
		"-ctx len:255 -msg len:0", "-internal -msg len:1000", "-mu len:64", "-rnd len:32", "-mu len:64 -rnd len:32",
		"-variant r3 -msg len:5000", "-op sign,verify", "-op verify", "-op keygen,verify -msg str:abcd",
	} {
		r, _ := recorded(t, "dilithium.elf", "ascon8-lsu", append(strings.Fields(args), "-p", "44")...)
		if err := r.right(); err != nil {
			t.Errorf("%s: %v", args, err)
		}
		if (strings.Contains(args, "-op")) != strings.Contains(r.out, "[PRE] ") {
			t.Errorf("%s: output\n%s", args, r.out)
		}
	}
}

// N runs have the inputs they are said to have.
func TestDilithiumRuns(t *testing.T) {
	const n = 12
	r, fields := recorded(t, "dilithium.elf", "shake-fifo", "-p", "44", "-n", fmt.Sprint(n))
	if err := r.right(); err != nil {
		t.Fatal(err)
	}
	s, err := mldsa.New(mldsa.Sets[0], mldsa.FIPS204, xof.SHAKE)
	if err != nil {
		t.Fatal(err)
	}
	seed, m := make([]byte, 32), make([]byte, 33)
	for i := range m {
		m[i] = byte(i)
	}
	copy(seed, m)
	var sigs bytes.Buffer
	attempts := 0
	for i := range byte(n) {
		seed[0], m[0] = i, i
		_, sk, err := s.KeyGen(seed)
		if err != nil {
			t.Fatal(err)
		}
		sig, err := s.Sign(m, nil, sk, nil)
		if err != nil {
			t.Fatal(err)
		}
		sigs.Write(sig)
		attempts += s.Attempts()
	}
	for _, line := range []string{
		digest(t, "sig", hex.EncodeToString(sigs.Bytes())),
		fmt.Sprintf(" mean %d.%d min 1 ", attempts/n, (10*attempts+n/2)/n%10),
	} {
		if !strings.Contains(r.out, line) {
			t.Errorf("no %q in\n%s", line, r.out)
		}
	}
	if len(fields) != 3*n || len(r.outcomes) != 3*n {
		t.Errorf("%d operations were recorded and %d checked, want those of %d runs", len(fields), len(r.outcomes), n)
	}
}

// What signing lets be seen is how often it began anew, which is what the number of
// attempts says, the challenge and the signature: with one key, signatures of one attempt
// differ in time only by what picking the challenge's places and writing the hints takes.
func TestDilithiumConstantTime(t *testing.T) {
	s, err := mldsa.New(mldsa.Sets[0], mldsa.FIPS204, xof.SHAKE)
	if err != nil {
		t.Fatal(err)
	}
	_, sk, err := s.KeyGen(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	var least, most uint64
	for i, found := 0, 0; found < 4; i++ {
		m := fmt.Sprintf("message %d", i)
		if _, err := s.Sign([]byte(m), nil, sk, nil); err != nil {
			t.Fatal(err)
		}
		if s.Attempts() != 1 {
			continue
		}
		found++
		r, _ := recorded(t, "dilithium.elf", "shake-lsu", "-p", "44", "-op", "sign", "-sk", hexArg(sk), "-msg", hexArg([]byte(m)))
		if err := r.right(); err != nil {
			t.Fatal(err)
		}
		cycles := region(t, r, "sign").Cycles
		if least == 0 || cycles < least {
			least = cycles
		}
		most = max(most, cycles)
	}
	if most-least > 400 {
		t.Errorf("signatures of one attempt take from %d to %d cycles", least, most)
	}
}

func TestDilithiumArguments(t *testing.T) {
	if testing.Short() {
		t.Skip("many runs")
	}
	for _, tt := range []struct{ args, want string }{
		{"-p 2", "-p: no parameter set"},
		{"-op decaps", "-op: no operation \"decaps\""},
		{"-variant fips203", "-variant: no variant"},
		{"-seed len:31", "-seed: 31 bytes"},
		{"-sk len:4032", "-sk: keygen makes"},
		{"-op sign -sk len:4031", "-sk: 4031 bytes, set 65 wants 4032"},
		{"-op sign,verify -sk len:4032", "-sk: verify needs"},
		{"-op verify -pk len:1952", "-pk: needs"},
		{"-pk len:1952", "-pk: is for"},
		{"-sig len:5", "-sig: is for"},
		{"-rnd len:31", "-rnd: 31 bytes"},
		{"-rnd len:32 -variant r3", "-rnd: signatures of"},
		{"-mu len:63", "-mu: 63 bytes"},
		{"-mu len:64 -msg str:a", "-mu: stands for"},
		{"-mu len:64 -ctx str:a", "-ctx: there is no context with -mu"},
		{"-internal -ctx str:a", "-ctx: there is no context with -internal"},
		{"-variant r3 -ctx str:a", "-ctx: there is no context with -variant r3"},
		{"-ctx len:256", "-ctx: "},
		{"-msgs a,b -n 3", "-msgs: has a message"},
		{"-n 2 -msg str:abc", "-n: the message has 3 bytes"},
		{"-msg len:65537", "-msg: "},
	} {
		r := start(t, soc.Options{Name: "dilithium.elf", Args: strings.Fields(tt.args)}, nil)
		if r.Exit.Code != 2 || r.out != "" || !strings.HasPrefix(r.errors, "dilithium: "+tt.want) || strings.Count(r.errors, "\n") != 1 {
			t.Errorf("%s: exit code %d, output %q, error %q; want 2, nothing, one line with %q", tt.args, r.Exit.Code, r.out, r.errors, tt.want)
		}
	}
}
