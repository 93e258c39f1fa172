package sdith

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

var long = flag.Bool("long", false, "check all 600 known answers and every byte of a signature")

// shared returns the path of a file of the shared data, which are not part of this
// repository, and skips the test where they are absent.
func shared(t *testing.T, name ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{"..", "..", "shared", "sdith"}, name...)...)
	if _, err := os.Stat(path); os.IsNotExist(err) {
		t.Skipf("no %s", path)
	}
	return path
}

// katKey returns the inputs and the key of a known answer.
func katKey(t testing.TB, p *Params, count int) (KAT, *SecretKey) {
	t.Helper()
	k, err := p.KAT(count)
	if err != nil {
		t.Fatal(err)
	}
	sk, err := p.GenerateKey(k.KeyEntropy)
	if err != nil {
		t.Fatal(err)
	}
	return k, sk
}

// signKAT signs a known answer, compares with its digest, and returns inputs, key and
// signature.
func signKAT(t *testing.T, p *Params, count int) (KAT, *SecretKey, []byte) {
	t.Helper()
	k, sk := katKey(t, p, count)
	sig, err := sk.Sign(k.Msg, k.SignEntropy)
	if err != nil {
		t.Fatal(err)
	}
	want, err := p.KATDigest(count)
	if err != nil {
		t.Fatal(err)
	}
	if got := sha256.Sum256(sig); hex.EncodeToString(got[:]) != want {
		t.Errorf("entry %d: signature has SHA-256 %x, want %s", count, got, want)
	}
	return k, sk, sig
}

// The first entries and the last one, which has the longest message, of every set; with
// -long all of them, see TestKATFile.
func TestKAT(t *testing.T) {
	entries := []int{0, 1, 2, 3, KATEntries - 1}
	if testing.Short() {
		entries = entries[:1]
	}
	for _, p := range Sets {
		t.Run(p.Name, func(t *testing.T) {
			for _, count := range entries {
				k, sk, sig := signKAT(t, p, count)
				if testing.Short() && p.Kappa > 8 {
					continue // a slow set
				}
				if err := sk.PublicKey.Verify(k.Msg, sig); err != nil {
					t.Errorf("entry %d: %v", count, err)
				}
			}
		})
	}
}

// The complete files, made anew.
func TestKATFile(t *testing.T) {
	if !*long {
		t.Skip("only with -long")
	}
	for _, p := range Sets {
		t.Run(p.Name, func(t *testing.T) {
			h := sha256.New()
			if err := p.WriteKATHeader(h); err != nil {
				t.Fatal(err)
			}
			for count := range KATEntries {
				k, sk, sig := signKAT(t, p, count)
				if err := WriteKAT(h, k, sk, sig); err != nil {
					t.Fatal(err)
				}
				if err := sk.PublicKey.Verify(k.Msg, sig); err != nil {
					t.Errorf("entry %d: %v", count, err)
				}
			}
			want, err := p.KATFileDigest()
			if err != nil {
				t.Fatal(err)
			}
			if got := hex.EncodeToString(h.Sum(nil)); got != want {
				t.Errorf("%s has SHA-256 %s, want %s", p.KATFileName(), got, want)
			}
		})
	}
}

// What is committed here are the digests of the submission's files, of which the first
// entries are also compared as they stand.
func TestOfficialFiles(t *testing.T) {
	sums, err := os.ReadFile(shared(t, "kat", "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range Sets {
		t.Run(p.Name, func(t *testing.T) {
			if testing.Short() && p.Kappa > 8 {
				t.Skip("a slow set")
			}
			file, err := os.Open(shared(t, "kat", "sdith_"+p.Name, p.KATFileName()+".gz"))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			unzipped, err := gzip.NewReader(file)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(unzipped)
			if err != nil {
				t.Fatal(err)
			}

			want, err := p.KATFileDigest()
			if err != nil {
				t.Fatal(err)
			}
			if got := sha256.Sum256(text); hex.EncodeToString(got[:]) != want {
				t.Errorf("the file has SHA-256 %x, want %s", got, want)
			}
			if line := fmt.Sprintf("%s  sdith_%s/%s\n", want, p.Name, p.KATFileName()); !bytes.Contains(sums, []byte(line)) {
				t.Errorf("SHA256SUMS has no line %q", line)
			}
			checkSignatureDigests(t, p, text)

			var got bytes.Buffer
			if err := p.WriteKATHeader(&got); err != nil {
				t.Fatal(err)
			}
			k, sk, sig := signKAT(t, p, 0)
			if err := WriteKAT(&got, k, sk, sig); err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(text, got.Bytes()) {
				t.Errorf("the file does not begin with\n%s", got.Bytes())
			}
		})
	}
}

// checkSignatureDigests compares the digests of all signatures in a file.
func checkSignatureDigests(t *testing.T, p *Params, text []byte) {
	t.Helper()
	count, mlen, entries := 0, 0, 0
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var sm []byte
		fmt.Sscanf(lines.Text(), "count = %d", &count)
		fmt.Sscanf(lines.Text(), "mlen = %d", &mlen)
		if n, _ := fmt.Sscanf(lines.Text(), "sm = %X", &sm); n == 1 {
			entries++
			want, err := p.KATDigest(count)
			if err != nil {
				t.Fatal(err)
			}
			if got := sha256.Sum256(sm[mlen:]); hex.EncodeToString(got[:]) != want {
				t.Errorf("entry %d: the file's signature has SHA-256 %x, want %s", count, got, want)
			}
		}
	}
	if err := lines.Err(); err != nil || entries != KATEntries {
		t.Errorf("%d entries in the file, want %d; %v", entries, KATEntries, err)
	}
}

// The inputs of all known answers of a category: seeds, messages and what is drawn.
func TestKATInputs(t *testing.T) {
	const want = "dd9490b8997ceebb45de667865d31e35e3c93024082da7e4467554027eb3b48a"
	h := sha256.New()
	for count := range KATEntries {
		k, err := Cat5Fast.KAT(count)
		if err != nil {
			t.Fatal(err)
		}
		if k.Count != count || len(k.Msg) != 33*(count+1) {
			t.Errorf("entry %d calls itself %d and has a message of %d bytes", count, k.Count, len(k.Msg))
		}
		for _, b := range [][]byte{k.Seed[:], k.Msg, k.KeyEntropy, k.SignEntropy} {
			h.Write(b)
		}
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("inputs have SHA-256 %s, want %s", got, want)
	}
}

func TestKATRange(t *testing.T) {
	for _, count := range []int{-1, KATEntries} {
		if _, err := Cat1Fast.KAT(count); err == nil {
			t.Errorf("there is a known answer %d", count)
		}
		if _, err := Cat1Fast.KATDigest(count); err == nil {
			t.Errorf("there is a digest of known answer %d", count)
		}
	}
}
