package sdith

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
)

// KATEntries is the number of known answers of a set.
const KATEntries = 100

// KAT is what a known answer is made from (SPEC, section 5).
type KAT struct {
	Count       int      // k, from 0 on
	Seed        [48]byte // of the DRBG that both entropies come from
	Msg         []byte   // 33(k+1) bytes
	KeyEntropy  []byte   // for Params.GenerateKey
	SignEntropy []byte   // for SecretKey.Sign
}

// KAT returns the inputs of known answer number count, from 0 to 99. Seed and message
// are the same in all sets.
func (p *Params) KAT(count int) (KAT, error) {
	if count < 0 || count >= KATEntries {
		return KAT{}, p.errorf("no known answer %d, there are 0 to %d", count, KATEntries-1)
	}
	var start [drbgSeedSize]byte
	for i := range start {
		start[i] = byte(i)
	}
	master := NewDRBG(start)
	k := KAT{Count: count}
	for i := range count + 1 {
		k.Seed = [drbgSeedSize]byte(master.Random(drbgSeedSize))
		k.Msg = master.Random(33 * (i + 1))
	}
	d := NewDRBG(k.Seed)
	k.KeyEntropy = d.Random(2 * p.SeedSize())
	k.SignEntropy = d.Random(2 * p.SeedSize())
	return k, nil
}

// KATFileName returns the name of the file of known answers, which sets of the same
// category share.
func (p *Params) KATFileName() string { return fmt.Sprintf("PQCsignKAT_%d.rsp", p.SecretKeySize()) }

// WriteKATHeader writes the first lines of a file of known answers (SPEC, section 5).
func (p *Params) WriteKATHeader(w io.Writer) error {
	category, form, _ := strings.Cut(strings.TrimPrefix(p.Name, "cat"), "_")
	_, err := fmt.Fprintf(w, "# SDiTH-CAT%s-%s\n\n", category, strings.ToUpper(form))
	return err
}

// WriteKAT writes the entry of a known answer to such a file (SPEC, section 5).
func WriteKAT(w io.Writer, k KAT, sk *SecretKey, sig []byte) error {
	_, err := fmt.Fprintf(w, "count = %d\nseed = %X\nmlen = %d\nmsg = %X\npk = %X\nsk = %X\nsmlen = %d\nsm = %X%X\n\n",
		k.Count, k.Seed, len(k.Msg), k.Msg, sk.PublicKey.Bytes(), sk.Bytes(), len(k.Msg)+len(sig), k.Msg, sig)
	return err
}

// katDigests are of the files that came with the submission: a line for each file and
// for each signature in it.
//
//go:embed kat.sha256
var katDigests string

// KATDigest returns the SHA-256 of the signature of known answer number count, in
// hexadecimal, as the submission has it.
func (p *Params) KATDigest(count int) (string, error) {
	return p.katDigest(fmt.Sprint(count))
}

// KATFileDigest returns the SHA-256 of the whole file of known answers, in hexadecimal,
// as the submission has it.
func (p *Params) KATFileDigest() (string, error) { return p.katDigest(p.KATFileName()) }

func (p *Params) katDigest(of string) (string, error) {
	for line := range strings.Lines(katDigests) {
		if digest, name, _ := strings.Cut(strings.TrimSpace(line), "  "); name == p.Name+"/"+of {
			return digest, nil
		}
	}
	return "", p.errorf("no digest of known answer %s", of)
}
