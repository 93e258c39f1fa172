package firmware_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"socsim/accel"
	"socsim/firmware"
	"socsim/sdith"
	"socsim/soc"
)

// sdithKAT returns known answer number count: key, inputs and signature.
func sdithKAT(t *testing.T, count int) (k sdith.KAT, sk *sdith.SecretKey, sig []byte) {
	t.Helper()
	p := sdith.Cat1Fast
	k, err := p.KAT(count)
	if err != nil {
		t.Fatal(err)
	}
	if sk, err = p.GenerateKey(k.KeyEntropy); err != nil {
		t.Fatal(err)
	}
	if sig, err = sk.Sign(k.Msg, k.SignEntropy); err != nil {
		t.Fatal(err)
	}
	return k, sk, sig
}

// The known answers: the published signatures, by built-in entry 0 and by arguments; with
// -long all of them. Signing hashes as often as SPEC, section 12, counts, besides the
// attempts at a proof of work.
func TestSDitHKAT(t *testing.T) {
	t.Parallel()
	entries := []int{0, 2, 99} // that of 2 has an odd salt, so that PAIR carries
	if testing.Short() {
		entries = entries[:1]
	}
	if *long {
		entries = nil
		for i := range sdith.KATEntries {
			entries = append(entries, i)
		}
	}
	for _, count := range entries {
		args := []string{"-sw", "-nodigest"}
		if count > 0 {
			k, sk, _ := sdithKAT(t, count)
			args = append(args, "-sk", hexArg(sk.Bytes()), "-msg", hexArg(k.Msg), "-entropy", hexArg(k.SignEntropy))
		}
		r, fields := recorded(t, "sdith.elf", "shake-fifo", args...)
		if err := r.right(); err != nil {
			t.Fatalf("entry %d: %v", count, err)
		}
		sameWork(t, r, "shake-fifo")
		want, err := sdith.Cat1Fast.KATDigest(count)
		if err != nil {
			t.Fatal(err)
		}
		if got := sha256.Sum256(fields[0][firmware.RoleSignature]); hex.EncodeToString(got[:]) != want {
			t.Errorf("entry %d: signature has SHA-256 %x, want %s", count, got, want)
		}
		if count > 0 {
			continue
		}
		const attempts = 291
		if n := region(t, r, "sign").Accel.Permutations; n != 781+13+108+15+6+1+attempts {
			t.Errorf("%d permutations, want 924 and those of %d attempts", n, attempts)
		}
		if line := fmt.Sprintf("[TRY] sign cat1_fast %d\n", attempts); !strings.Contains(r.out, line) {
			t.Errorf("no line %sin\n%s", line, r.out)
		}
	}
}

// Every coupling with one of the hashes, and every hash in software or not; all of both
// with -long.
func TestSDitHAccelerators(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	some := map[string]bool{"shake12-ram": true, "ascon-lsu": true, "ascon8-lsux": true, "shake-dma": true, "ascon128-reg": true, "shake-regx": true}
	for _, e := range accel.List() {
		if !e.Works || !some[e.Name] && !*long {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			r, _ := recorded(t, "sdith.elf", e.Name, "-sw", "-nodigest")
			if err := r.right(); err != nil {
				t.Fatal(err)
			}
			sameWork(t, r, e.Name)
			own := e.Name != "none" && unit(t, e.Name) != accel.SHAKE
			for _, o := range r.outcomes {
				if strings.Contains(o.Name, "own instance") != own {
					t.Errorf("%s: is it an instance of our own? %v", o.Name, own)
				}
			}
			if strings.Contains(r.out, "[OWN] SDitH over") != own {
				t.Errorf("output\n%s", r.out)
			}
		})
	}
}

// A byte changed in each field of a signature, in message and key: it is rejected. What
// the proof of work or the padding gives away is so at once; with -long every 61st byte.
func TestSDitHRejects(t *testing.T) {
	t.Parallel()
	k, sk, good := sdithKAT(t, 0)
	pk := sk.PublicKey.Bytes()
	reject := func(what string, pk, msg, sig []byte) {
		r, _ := recorded(t, "sdith.elf", "shake-lsu", "-sw", "-op", "verify", "-pk", hexArg(pk), "-msg", hexArg(msg), "-sig", hexArg(sig), "-nodigest")
		if r.Exit.Code != 1 || !strings.HasSuffix(r.out, "[FAIL] verify rejects the signature\n") || r.Verified == nil || !*r.Verified {
			t.Errorf("%s: exit code %d, verified %v, %+v, output\n%s", what, r.Exit.Code, r.Verified, r.outcomes, r.out)
		}
		if o := r.outcomes[0]; region(t, r, "verify").Accel.Permutations != o.Permutations {
			t.Errorf("%s: %d permutations, the reference needs %d", what, region(t, r, "verify").Accel.Permutations, o.Permutations)
		}
	}
	flipped := func(b []byte, at int) []byte {
		b = bytes.Clone(b)
		b[at] ^= 0x10
		return b
	}
	for _, f := range sdith.Cat1Fast.SignatureFields() {
		at := f.Offset
		switch {
		case f.Name == "path":
			at = f.Offset + f.Size - 1 // the padding
		case testing.Short() && f.Name != "ctr":
			continue
		case f.Name == "corr", f.Name == "dwit":
			at = f.Offset + f.Size - 1
		}
		reject(f.Name, pk, k.Msg, flipped(good, at))
	}
	if testing.Short() {
		return
	}
	reject("path, first seed", pk, k.Msg, flipped(good, 16))
	reject("message", pk, flipped(k.Msg, len(k.Msg)-1), good)
	reject("seed_pk", flipped(pk, 0), k.Msg, good)
	reject("y", flipped(pk, len(pk)-1), k.Msg, good)
	for at := 7; *long && at < len(good); at += 61 {
		reject(fmt.Sprintf("byte %d", at), pk, k.Msg, flipped(good, at))
	}
}

// A key whose witness is none, or another's, signs nothing; the reference refuses it, too.
func TestSDitHWitness(t *testing.T) {
	const witness = 32 // bytes before wit
	p := sdith.Cat1Fast
	// The last run of a block has one column, 184, and so the digit of another one of its
	// columns chooses that, too: H cannot tell. Here is a key with it, in one of its blocks.
	var sk *sdith.SecretKey
	block := -1
	for entropy := make([]byte, 32); block < 0; entropy[31]++ {
		var err error
		if sk, err = p.GenerateKey(entropy); err != nil {
			t.Fatal(err)
		}
		positions, err := p.WitnessPositions(sk.Witness())
		if err != nil {
			t.Fatal(err)
		}
		block = slices.Index(positions, p.BlockLength-1)
	}
	for what, change := range map[string]func(sk []byte){
		"two choices": func(sk []byte) { sk[witness] |= 7 },
		"a column that is not there": func(sk []byte) {
			bit := block * p.ControlBits()
			sk[witness+bit/8] |= 1 << (bit % 8)
		},
		"another y": func(sk []byte) { sk[len(sk)-1] ^= 1 },
	} {
		if testing.Short() && what == "another y" {
			continue // which all of H shows
		}
		b := sk.Bytes()
		change(b)
		r, _ := recorded(t, "sdith.elf", "shake-fifo", "-sw", "-op", "sign", "-sk", hexArg(b), "-nodigest")
		want := "[FAIL] sign: the witness of the secret key does not belong to its public key\n"
		if r.Exit.Code != 1 || !strings.HasSuffix(r.out, want) || r.Verified == nil || !*r.Verified {
			t.Errorf("%s: exit code %d, verified %v, %+v, output\n%s", what, r.Exit.Code, r.Verified, r.outcomes, r.out)
		}
	}
}

// Secrets change no cycle: with another key and another root of the tree all that
// handles them takes as long. What comes behind depends on the challenge, which is public.
func TestSDitHConstantTime(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	functions := []string{"tree_grow", "tree_leaves", "check_respond", "check_mask", "prove_sum"}
	var first map[string]uint64
	for count := range 2 {
		k, sk, _ := sdithKAT(t, count)
		k.SignEntropy[0] = 2 // an even salt: no carries
		r := start(t, soc.Options{Name: "sdith.elf", Accel: "none", Regions: functions, Args: []string{"-sw", "-op", "sign", "-nodigest",
			"-sk", hexArg(sk.Bytes()), "-entropy", hexArg(k.SignEntropy)}}, nil)
		if err := r.right(); err != nil {
			t.Fatal(err)
		}
		got := map[string]uint64{}
		for _, name := range functions {
			got[name] = region(t, r, name).Cycles
		}
		if first == nil {
			first = got
		}
		for name, cycles := range got {
			if cycles != first[name] || cycles == 0 {
				t.Errorf("%s: %d cycles, with other secrets %d", name, cycles, first[name])
			}
		}
	}
}

// sdithRows are the rows of the table of cycles that sdith.elf has: its built-in entry.
func sdithRows(t *testing.T) (rows string) {
	t.Helper()
	var got [2][2]figures
	for i, accelerator := range []string{"none", "shake-fifo"} {
		r := start(t, soc.Options{Name: "sdith.elf", Accel: accelerator, Args: []string{"-sw", "-nodigest"}}, nil)
		if err := r.right(); err != nil {
			t.Fatal(err)
		}
		for k, operation := range []string{"sign", "verify"} {
			f, of := &got[i][k], operation+" cat1_fast %d"
			for tag, to := range map[string]*int{"[CYC] ": &f.cycles, "[STK] ": &f.stack, "[RAM] ": &f.memory} {
				_, line, _ := strings.Cut(r.out, tag+operation)
				if _, err := fmt.Sscanf(operation+line, of, to); err != nil {
					t.Fatal(err, r.out)
				}
			}
		}
	}
	for k, operation := range []string{"sign", "verify"} {
		soft, fifo := got[0][k], got[1][k]
		rows += fmt.Sprintf("| SDitH cat1_fast %s | %s | %s | %s | %s |  |  |  |  |\n", operation,
			thousands(soft.cycles), thousands(fifo.cycles), thousands(soft.stack), thousands(soft.memory))
	}
	return rows
}

// N runs have the inputs they are said to have.
func TestSDitHRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	r, fields := recorded(t, "sdith.elf", "shake-fifo", "-sw", "-op", "sign", "-n", "2", "-msg", "str:ab")
	if err := r.right(); err != nil {
		t.Fatal(err)
	}
	k, sk, _ := sdithKAT(t, 0)
	var sigs []byte
	for i := range byte(2) {
		msg := []byte{'a' ^ i, 'b'}
		entropy := bytes.Clone(k.SignEntropy)
		entropy[0] ^= i
		sig, err := sk.Sign(msg, entropy)
		if err != nil {
			t.Fatal(err)
		}
		sigs = append(sigs, sig...)
		if !bytes.Equal(fields[i][firmware.RoleSignature], sig) {
			t.Errorf("run %d has another signature", i)
		}
	}
	if line := digest(t, "sig", hex.EncodeToString(sigs)); !strings.Contains(r.out, line) {
		t.Errorf("no line %sin\n%s", line, r.out)
	}
}

func TestSDitHArguments(t *testing.T) {
	for args, want := range map[string]string{
		"":                          "there is no SDitH coprocessor here; -sw signs and verifies in software",
		"-sw -p cat3_fast":          `no parameter set "cat3_fast"; there are cat1_fast`,
		"-sw -variant r3":           "-variant: no such flag",
		"-sw -op keygen":            `no operation "keygen"; there are sign verify`,
		"-sw -sk hex:00":            "-sk: 1 bytes, set cat1_fast wants 163",
		"-sw -entropy len:31":       "-entropy: 31 bytes, set cat1_fast wants 32",
		"-sw -sig len:4484":         "-sig: is for -op verify alone",
		"-sw -pk len:70 -op verify": "-pk: needs the signature to verify, -sig",
		"-sw -op verify -sk len:163 -sig len:4484": "-sk: signs, so it has no place beside -sig",
	} {
		r := start(t, soc.Options{Name: "sdith.elf", Accel: "none", Args: strings.Fields(args)}, nil)
		if r.Exit.Code != 2 || !strings.Contains(r.errors, want) || strings.Count(r.errors, "\n") != 1 {
			t.Errorf("%s: exit code %d, %q, want one line with %q", args, r.Exit.Code, r.errors, want)
		}
	}
}
