package firmware_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/crypto/sha3"

	"socsim/accel"
	"socsim/firmware"
	"socsim/internal/nistkat"
	"socsim/pqc/mlkem"
	"socsim/pqc/xof"
	"socsim/soc"
)

var long = flag.Bool("long", false, "run the tests that take minutes")

// hexArg writes bytes as an argument.
func hexArg(b []byte) string { return "hex:" + hex.EncodeToString(b) }

// recorded runs a program over an accelerator, checks it, and returns the run and the
// fields of its operations, by place in the record and role.
func recorded(t *testing.T, program, accelerator string, args ...string) (run, []map[firmware.Role][]byte) {
	t.Helper()
	var fields []map[firmware.Role][]byte
	r := start(t, soc.Options{Name: program, Accel: accelerator, Args: args}, func(ops []firmware.Operation) {
		for _, op := range ops {
			f := map[firmware.Role][]byte{}
			for _, field := range op.Fields {
				f[field.Role] = bytes.Clone(field.Data)
			}
			fields = append(fields, f)
		}
	})
	return r, fields
}

// sameWork compares every operation's permutations with the reference's, and its ledger
// with its cycles.
func sameWork(t *testing.T, r run, accelerator string) {
	t.Helper()
	if len(r.outcomes) != len(r.Regions) {
		t.Fatalf("%d operations in the record, %d regions", len(r.outcomes), len(r.Regions))
	}
	for _, o := range r.outcomes {
		name, _, _ := strings.Cut(o.Name, " ")
		g := region(t, r, name)
		if accelerator != "none" {
			if got, want := g.Accel.Permutations, needed(o); got != want {
				t.Errorf("%s: %d permutations, the reference needs %d", o.Name, got, want)
			}
		}
		if g.Ledger.Sum() != g.Cycles {
			t.Errorf("%s: the ledger adds up to %d of %d cycles", o.Name, g.Ledger.Sum(), g.Cycles)
		}
	}
}

// region returns the region of that name.
func region(t *testing.T, r run, name string) soc.Region {
	t.Helper()
	for _, g := range r.Regions {
		if g.Name == name {
			return g
		}
	}
	t.Fatalf("no region %s", name)
	return soc.Region{}
}

// Every set and variant, in software and over accelerators: the reference gets the
// same, with as many permutations. The numbers are those known for a matrix that takes
// three blocks a polynomial.
func TestKyberSets(t *testing.T) {
	permutations := map[string][5]uint64{
		"512 fips203": {27, 26, 26, 0, 6}, "768 fips203": {43, 44, 44, 0, 9}, "1024 fips203": {69, 70, 70, 0, 12},
	}
	operations := []string{"keygen", "encaps", "decaps", "checkek", "checkdk"}
	for _, set := range []string{"512", "768", "1024"} {
		for _, variant := range []string{"fips203", "r3"} {
			for _, accelerator := range []string{"none", "shake-fifo", "shake-ram", "ascon-fifo"} {
				if testing.Short() && (variant == "r3") != (accelerator == "shake-ram") {
					continue
				}
				r, _ := recorded(t, "kyber.elf", accelerator, "-p", set, "-variant", variant, "-op", strings.Join(operations, ","),
					"-seed", hexArg(append([]byte{2}, make([]byte, 63)...)))
				if err := r.right(); err != nil {
					t.Errorf("%s %s %s: %v", set, variant, accelerator, err)
					continue
				}
				sameWork(t, r, accelerator)
				if want, known := permutations[set+" "+variant]; known && accelerator == "shake-fifo" {
					for i, name := range operations {
						if got := region(t, r, name).Accel.Permutations; got != want[i] {
							t.Errorf("%s, %s: %d permutations, want %d", set, name, got, want[i])
						}
					}
				}
			}
		}
	}
}

// everyAccelerator runs a program over each one that there is a driver for, with the
// arguments for its hash.
func everyAccelerator(t *testing.T, program string, args func(hash string) []string) {
	for _, e := range accel.List() {
		if !e.Works || e.Name == "none" || testing.Short() && e.Name != "shake12-ram" && e.Name != "ascon128-lsu" {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			r, _ := recorded(t, program, e.Name, args(unit(t, e.Name).Name)...)
			if strings.Contains(r.errors, "no driver for") {
				t.Skip("the firmware has no driver for it yet")
			}
			if err := r.right(); err != nil {
				t.Fatal(err)
			}
			sameWork(t, r, e.Name)
			own := unit(t, e.Name) != accel.SHAKE
			for _, o := range r.outcomes {
				if strings.Contains(o.Name, "own instance") != own {
					t.Errorf("%s: is it an instance of our own? %v", o.Name, own)
				}
			}
			if strings.Contains(r.out, "[OWN] ") != own {
				t.Errorf("output\n%s", r.out)
			}
		})
	}
}

func TestKyberAccelerators(t *testing.T) {
	everyAccelerator(t, "kyber.elf", func(string) []string { return []string{"-nodigest"} })
}

// Files of known answers, made by the firmware: the digests are those of katFiles in
// pqc/mlkem, which were published. All 100 entries with -long.
func TestKyberKAT(t *testing.T) {
	for _, file := range []struct{ set, variant, first, all string }{
		{"512", "fips203", "c70041a761e01cd6426fa60e9fd6a4412c2be817386c8d0f3334898082512782",
			"74b470e797cbdbd589a31d387d36c72aad5033446ab5159bf4014c24652b1173"},
		{"768", "fips203", "5352539586b6c3df58be6158a6250aeff402bd73060b0a3de68850ac074c17c3",
			"e5d6911117c708d8342702db222f66bef5ac5b0314fb8bc36eb22a536c9b34fb"},
		{"1024", "fips203", "f580d851e5fb27e6876e5e203fa18be4cdbfd49e05d48fec3d3992c8f43a13e6",
			"81d1ae0468f62154885b6f2a293c0eb48f9339645357a88bbbc186c57ab0ace0"},
		{"512", "r3", "bb0481d3325d828817900b709d23917cefbc10026fc857f098979451f67bb0ca",
			"0435224d77cc89bf77b82aa82af254b62f25d24e18c44dcd0aa9473cde97217a"},
		{"768", "r3", "89e82a5bf2d4ddb2c6444e10409e6d9ca65dafbca67d1a0db2c9b54920a29172",
			"b3a12005fe1ce49f5df510aea6a56bfa4bdc2d3d706afb0361d70dc88188a2a6"},
		{"1024", "r3", "5afcf2a568ad32d49b55105b032af1850f03f3888ff9e2a72f4059c58e968f60",
			"b72b97eb9270d76f2c7a8a0b03022c81c879af9e247abff52405127d77dd3a46"},
	} {
		t.Run(file.set+"-"+file.variant, func(t *testing.T) {
			t.Parallel()
			entries := 1
			if *long {
				entries = 100
			}
			h := sha256.New()
			seeds := nistkat.File()
			for i := range entries {
				seed := seeds.Seed()
				drbg := nistkat.New(seed)
				var keySeed []byte
				if file.variant == "r3" {
					keySeed = append(drbg.Bytes(32), drbg.Bytes(32)...)
				} else {
					keySeed = drbg.Bytes(64)
				}
				r, f := recorded(t, "kyber.elf", "shake-fifo", "-p", file.set, "-variant", file.variant,
					"-seed", hexArg(keySeed), "-m", hexArg(drbg.Bytes(32)), "-nodigest")
				if err := r.right(); err != nil {
					t.Fatal(err)
				}
				if i > 0 {
					h.Write([]byte("\n"))
				}
				h.Write([]byte(nistkat.Entry(nistkat.Field{Name: "count", Value: i}, nistkat.Field{Name: "seed", Value: seed[:]},
					nistkat.Field{Name: "pk", Value: f[0][firmware.RolePublicKey]}, nistkat.Field{Name: "sk", Value: f[0][firmware.RoleSecretKey]},
					nistkat.Field{Name: "ct", Value: f[1][firmware.RoleCiphertext]}, nistkat.Field{Name: "ss", Value: f[2][firmware.RoleSharedSecret]})))
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

// NIST's vectors and those of round 3, modified ciphertexts included. What the firmware
// makes of a file folds into one digest (SHA-256 of ek, dk, c and K, where there are).
func TestKyberVectors(t *testing.T) {
	type vector struct {
		ParameterSet                string
		D, Z, EK, DK, M, C, K       string
		KeygenCoins, PK, SK, CT, SS string
		ImplicitReject              bool
	}
	for _, file := range []struct{ name, set, sum string }{
		{"mlkem/keygen.json", "", "d6a7b74f08fdd8a011549d95ec9644ccfb062b3d4c4020129c711e4eba3bfa65"},
		{"mlkem/encaps.json", "", "6e569ab758aa314a9bd28b50a7f8f475489d10c66c8d47a5bda267bd34e496b0"},
		{"mlkem/decaps.json", "", "9b84f4cd95f2f0856d1a32afd12bc61ccf6a04d70a815d9ee039258745d4803c"},
		{"kyber-r3/kyber512.json", "512", "d71669e69830e15159f022ce56a803813c3625dfafc53b61eec0f034d82526cd"},
		{"kyber-r3/kyber768.json", "768", "b1f8cfaeaa86763fb829bdf7d753c6e8a8c4e68aeca863b3c584fab2b7ffc589"},
		{"kyber-r3/kyber1024.json", "1024", "7344e7f5f0e97080052d252a519d6d930772734c481b8531f103119df800398c"},
	} {
		t.Run(file.name, func(t *testing.T) {
			h := sha256.New()
			for i, v := range vectors[vector](t, file.name) {
				args := []string{"-p", file.set, "-variant", "r3", "-seed", "hex:" + v.KeygenCoins + v.Z, "-m", "hex:" + v.M}
				want := []string{digest(t, "ek", v.PK), digest(t, "dk", v.SK), digest(t, "c", v.CT), digest(t, "key", v.SS)}
				switch file.name {
				case "mlkem/keygen.json":
					args = []string{"-op", "keygen", "-seed", "hex:" + v.D + v.Z}
					want = []string{digest(t, "ek", v.EK), digest(t, "dk", v.DK)}
				case "mlkem/encaps.json":
					args = []string{"-op", "checkek,encaps", "-ek", "hex:" + v.EK, "-m", "hex:" + v.M}
					want = []string{digest(t, "c", v.C), digest(t, "key", v.K)}
				case "mlkem/decaps.json":
					args = []string{"-op", "checkdk,decaps", "-dk", "hex:" + v.DK, "-c", "hex:" + v.C}
					want = []string{digest(t, "key", v.K)}
				}
				if file.set == "" {
					args = append(args, "-p", strings.TrimPrefix(v.ParameterSet, "ML-KEM-"))
				}
				if testing.Short() && i%4 != 1 {
					continue
				}
				r, fields := recorded(t, "kyber.elf", "shake-fifo", args...)
				if err := r.right(); err != nil {
					t.Errorf("vector %d: %v", i, err)
				}
				for _, line := range want {
					if !strings.Contains(r.out, line) {
						t.Errorf("vector %d: no line %sin\n%s", i, line, r.out)
					}
				}
				for _, f := range fields {
					for _, role := range []firmware.Role{firmware.RolePublicKey, firmware.RoleSecretKey, firmware.RoleCiphertext, firmware.RoleSharedSecret} {
						h.Write(f[role])
					}
				}
			}
			if sum := hex.EncodeToString(h.Sum(nil)); !testing.Short() && sum != file.sum {
				t.Errorf("the firmware's answers have SHA-256 %s, want %s", sum, file.sum)
			}
		})
	}
}

// Vectors of known mistakes: a ciphertext that differs behind a zero byte, and keys
// with a number of q or above.
func TestKyberMistakes(t *testing.T) {
	s, err := mlkem.New(mlkem.Sets[0], mlkem.FIPS203, xof.SHAKE)
	if err != nil {
		t.Fatal(err)
	}
	ek, dk, err := s.KeyGen(make([]byte, mlkem.SeedSize))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args, line string
		change     func()
		key        []byte
	}{
		{"-op checkek -ek", "[FAIL] checkek: this is no encapsulation key\n", func() { ek[3*255], ek[3*255+1] = 0x01, ek[3*255+1]|0x0d }, ek},
		{"-op checkdk -dk", "[FAIL] checkdk: this is no decapsulation key\n", func() { dk[1500] ^= 1 }, dk},
	} {
		for _, bad := range []bool{false, true} {
			code, line := 0, "[PASS]\n"
			if bad {
				test.change()
				code, line = 1, test.line
			}
			r, _ := recorded(t, "kyber.elf", "shake-fifo", append(strings.Fields("-p 512 "+test.args), hexArg(test.key))...)
			if r.Exit.Code != code || !strings.HasSuffix(r.out, line) || r.Verified == nil || !*r.Verified {
				t.Errorf("%s, changed %v: exit code %d, verified %v, output\n%s", test.args, bad, r.Exit.Code, r.Verified, r.out)
			}
		}
	}

	// A ciphertext that is wrong in one place anywhere gives the secret of a rejection.
	_, good, err := s.KeyGen(make([]byte, mlkem.SeedSize))
	if err != nil {
		t.Fatal(err)
	}
	_, c, err := s.Encaps(good[768:768+800], make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{0, 3, 401, 640, 767} {
		c[at] ^= 0x80
		r, f := recorded(t, "kyber.elf", "shake-lsu", "-p", "512", "-op", "decaps", "-dk", hexArg(good), "-c", hexArg(c))
		if err := r.right(); err != nil {
			t.Fatal(err)
		}
		reject := make([]byte, 32)
		x := sha3.NewShake256()
		x.Write(good[len(good)-32:])
		x.Write(c)
		x.Read(reject)
		if !bytes.Equal(f[0][firmware.RoleSharedSecret], reject) {
			t.Errorf("byte %d changed: the secret is not that of a rejection", at)
		}
		c[at] ^= 0x80
	}
}

// N runs have the inputs they are said to have, all of them, and the numbers printed
// are those of the runs.
func TestKyberRuns(t *testing.T) {
	const n = 20
	r, fields := recorded(t, "kyber.elf", "shake-fifo", "-n", fmt.Sprint(n))
	if err := r.right(); err != nil {
		t.Fatal(err)
	}
	s, err := mlkem.New(mlkem.Sets[1], mlkem.FIPS203, xof.SHAKE)
	if err != nil {
		t.Fatal(err)
	}
	seed, m := make([]byte, 64), make([]byte, 32)
	for i := range seed {
		seed[i] = byte(i)
	}
	copy(m, seed)
	var eks, dks, cs, keys bytes.Buffer
	for i := range byte(n) {
		seed[0], m[0] = i, i
		ek, dk, err := s.KeyGen(seed)
		if err != nil {
			t.Fatal(err)
		}
		key, c, err := s.Encaps(ek, m)
		if err != nil {
			t.Fatal(err)
		}
		eks.Write(ek)
		dks.Write(dk)
		cs.Write(c)
		keys.Write(key)
	}
	for what, b := range map[string][]byte{"ek": eks.Bytes(), "dk": dks.Bytes(), "c": cs.Bytes(), "key": keys.Bytes()} {
		if line := digest(t, what, hex.EncodeToString(b)); !strings.Contains(r.out, line) {
			t.Errorf("no line %sin\n%s", line, r.out)
		}
	}
	if len(fields) != 3*n || len(r.outcomes) != 3*n {
		t.Errorf("%d operations were recorded and %d checked, want those of %d runs", len(fields), len(r.outcomes), n)
	}
	for _, name := range []string{"keygen", "encaps", "decaps"} {
		g := region(t, r, name)
		var median, least, most uint64
		var mean float64
		line := r.out[strings.Index(r.out, "[CYC] "+name):]
		if _, err := fmt.Sscanf(line, "[CYC] "+name+" 768 median %d mean %f min %d max %d of 20\n", &median, &mean, &least, &most); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		if total := mean * n; total < float64(g.Cycles) || total > float64(g.Cycles+60*n) || least > median || median > most {
			t.Errorf("%s: median %d mean %f min %d max %d, the region has %d cycles in %d calls", name, median, mean, least, most, g.Cycles, g.Calls)
		}
		if g.Calls != n {
			t.Errorf("%s: %d calls, want %d", name, g.Calls, n)
		}
	}
}

// The median of three runs is what the least and the most leave of their sum, and of
// two it is the mean.
func TestKyberMedian(t *testing.T) {
	for n := 2; n <= 3; n++ {
		r, _ := recorded(t, "kyber.elf", "shake-fifo", "-p", "512", "-op", "keygen", "-n", fmt.Sprint(n), "-nodigest")
		var median, least, most int
		var mean float64
		line := r.out[strings.Index(r.out, "[CYC] "):]
		if _, err := fmt.Sscanf(line, "[CYC] keygen 512 median %d mean %f min %d max %d of", &median, &mean, &least, &most); err != nil {
			t.Fatal(err, line)
		}
		want := int(mean)
		if n == 3 {
			want = int(3*mean+0.5) - least - most
		}
		if least == most || median < want-1 || median > want+1 {
			t.Errorf("median %d mean %f min %d max %d, want a median of %d", median, mean, least, most, want)
		}
	}
}

// Secrets change no cycle: with one public key, of whose matrix everything that
// branches is made, encapsulation takes as long for every m, and decapsulation for
// every ciphertext, accepted or not. The same in software and with an accelerator.
func TestKyberConstantTime(t *testing.T) {
	for _, variant := range []mlkem.Variant{mlkem.FIPS203, mlkem.R3} {
		s, err := mlkem.New(mlkem.Sets[1], variant, xof.SHAKE)
		if err != nil {
			t.Fatal(err)
		}
		ek, dk, err := s.KeyGen(make([]byte, mlkem.SeedSize))
		if err != nil {
			t.Fatal(err)
		}
		for _, accelerator := range []string{"none", "shake-lsu"} {
			if testing.Short() && (variant == mlkem.R3 || accelerator != "none") {
				continue
			}
			cycles := map[string]map[uint64]bool{"encaps": {}, "decaps": {}}
			for _, m := range [][]byte{make([]byte, 32), bytes.Repeat([]byte{0xff}, 32), []byte("these are thirty-two secret byte")} {
				_, c, err := s.Encaps(ek, m)
				if err != nil {
					t.Fatal(err)
				}
				bad := bytes.Clone(c)
				bad[100] ^= 1
				for _, args := range [][]string{
					{"-op", "encaps", "-ek", hexArg(ek), "-m", hexArg(m)},
					{"-op", "decaps", "-dk", hexArg(dk), "-c", hexArg(c)},
					{"-op", "decaps", "-dk", hexArg(dk), "-c", hexArg(bad)},
				} {
					r, _ := recorded(t, "kyber.elf", accelerator, append(args, "-variant", variant.Name)...)
					if err := r.right(); err != nil {
						t.Fatal(err)
					}
					cycles[args[1]][r.Regions[0].Cycles] = true
				}
			}
			for op, different := range cycles {
				if len(different) != 1 {
					t.Errorf("%s, %s, %s: %d different times: %v", variant.Name, accelerator, op, len(different), different)
				}
			}
		}
	}
}

func TestKyberArguments(t *testing.T) {
	if testing.Short() {
		t.Skip("many runs")
	}
	for _, tt := range []struct{ args, want string }{
		{"-p 256", "-p: no parameter set"},
		{"-op sign", "-op: no operation \"sign\""},
		{"-op ,", "-op: "},
		{"-variant r2", "-variant: no variant"},
		{"-n 0", "-n: "},
		{"-n 10001", "-n: "},
		{"-seed len:63", "-seed: 63 bytes, set 768 wants 64"},
		{"-m len:31", "-m: "},
		{"-ek len:1184", "-ek: is for"},
		{"-op encaps -ek len:1183", "-ek: 1183 bytes"},
		{"-op encaps -dk len:2400", "-dk: is for"},
		{"-op decaps -dk len:2400", "-dk: needs"},
		{"-op encaps -c len:1088", "-c: is for"},
		{"-op encaps -ek len:1184 -seed len:64", "-seed: "},
		{"-msg len:3", "-msg: no such flag"},
		{"-m", "-m: its value is missing"},
		{"-hash md5", "-hash: "},
	} {
		r := start(t, soc.Options{Name: "kyber.elf", Args: strings.Fields(tt.args)}, nil)
		if r.Exit.Code != 2 || r.out != "" || !strings.HasPrefix(r.errors, "kyber: "+tt.want) || strings.Count(r.errors, "\n") != 1 {
			t.Errorf("%s: exit code %d, output %q, error %q; want 2, nothing, one line with %q", tt.args, r.Exit.Code, r.out, r.errors, tt.want)
		}
	}
}
