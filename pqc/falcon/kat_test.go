package falcon

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"hash"
	"io"
	"sync"
	"testing"

	"socsim/internal/nistkat"
	"socsim/pqc/xof"
)

var long = flag.Bool("long", false, "whole KAT files: 100 key pairs and signatures each")

// katInputs are the seeds and messages of a KAT file.
func katInputs(n int) (seeds, messages [][]byte) {
	seed := make([]byte, 48)
	for i := range seed {
		seed[i] = byte(i)
	}
	d := nistkat.New([nistkat.SeedSize]byte(seed))
	for i := range n {
		seeds = append(seeds, d.Bytes(48))
		messages = append(messages, d.Bytes(33*(i+1)))
	}
	return seeds, messages
}

// katEntry is the text of one entry.
func katEntry(t *testing.T, p Params, format Format, count int, seed, m []byte) string {
	s := newScheme(t, p, xof.SHAKE)
	d := nistkat.New([nistkat.SeedSize]byte(seed))
	sk, pk, err := s.KeyGen(d.Bytes(SeedSize))
	if err != nil {
		t.Fatal(err)
	}
	nonce := d.Bytes(NonceSize)
	sig, err := s.Sign(m, sk, nonce, d.Bytes(SeedSize), format)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Verify(m, sig, pk); err != nil {
		t.Errorf("count %d: %v", count, err)
	}
	sm := append(append([]byte{}, sig...), m...)
	if format == Compressed {
		sm = signedMessage(sig, m)
	}
	return fmt.Sprintf("count = %d\nseed = %X\nmlen = %d\nmsg = %X\npk = %X\nsk = %X\nsmlen = %d\nsm = %X\n",
		count, seed, len(m), m, pk, sk, len(sm), sm)
}

// Digests of the KAT files as published with liboqs (tests/KATs/sig/kats.json at
// 8979276a) and, for the first entry, with PQClean.
func TestKATFile(t *testing.T) {
	for _, test := range []struct {
		p          Params
		format     Format
		name       string
		first, all string // SHA-256
	}{
		{Sets[0], Compressed, "Falcon-512",
			"da27fe8a462de7307ddf1f9b00072a457d9c5b14e838c148fbe2662094b9a2ca",
			"f4f23c1153682007d5dec02c35e47061c17900fcf0adb3fd0437f1988fa13655"},
		{Sets[1], Compressed, "Falcon-1024",
			"e699d88eb214fef30597385f40814baeb84ac505d5f05f5c257b0726fc4530b8",
			"46f9682ebf6fd31bae60c3191ed1a6c56aa09fb4945a266f86732a90c6c4db67"},
		{Sets[0], Padded, "Falcon-padded-512",
			"91842d41138e7cfaf6e2e8f12a03c3b3411302255121e4d07d02f91a003c0395",
			"362ecc0537ca1fe25143fb7ccb04de8ee7703469d13ebcf311ab124a5c374a65"},
		{Sets[1], Padded, "Falcon-padded-1024",
			"ddcc5683293388249e6fe85e992ea19d0986d34e060a44f82bc3db524a8c8390",
			"907a4931ddc2ce8360478a45f1bffededd6a04015b00233ecd851a62ecba06c1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if testing.Short() && test.p != Sets[0] {
				t.Skip("takes half a second")
			}
			t.Parallel()
			n := 1
			if *long {
				n = 100
			}
			seeds, messages := katInputs(n)
			entries := make([]string, n)
			var wg sync.WaitGroup
			for i := range n {
				wg.Go(func() { entries[i] = katEntry(t, test.p, test.format, i, seeds[i], messages[i]) })
			}
			wg.Wait()
			sum := func(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }
			h := sha256.New()
			io.WriteString(h, entries[0])
			if got := sum(h); got != test.first {
				t.Errorf("first entry has SHA-256 %s, want %s", got, test.first)
			}
			for _, e := range entries[1:] {
				io.WriteString(h, "\n"+e)
			}
			if got := sum(h); *long && got != test.all {
				t.Errorf("the file has SHA-256 %s, want %s", got, test.all)
			}
		})
	}
}
