// Package nistkat makes what NIST's known answer tests of post-quantum schemes are
// derived from, so that whole files of answers are made anew and only their digests
// have to be kept: the generator of the tests' random bytes, and the form of a
// file. It serves tests. Left out: everything of the generator (CTR_DRBG with
// AES-256, NIST SP 800-90A) that these tests do without: derivation function,
// reseeding, additional input.
package nistkat

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"strings"
)

// SeedSize is the bytes of the generator's entropy input.
const SeedSize = 48

// DRBG is a CTR_DRBG (SP 800-90A, section 10.2.1). How its output is cut into
// calls of Read changes it: each one ends with an update.
type DRBG struct {
	block cipher.Block
	v     [aes.BlockSize]byte
}

// New is CTR_DRBG_Instantiate with that entropy input and nothing else.
func New(seed [SeedSize]byte) *DRBG {
	d := new(DRBG)
	d.key(make([]byte, 32))
	d.update(seed)
	return d
}

// Read fills p with the output of one CTR_DRBG_Generate.
func (d *DRBG) Read(p []byte) (int, error) {
	d.output(p)
	d.update([SeedSize]byte{})
	return len(p), nil
}

// Bytes returns the output of one call, of n bytes.
func (d *DRBG) Bytes(n int) []byte {
	p := make([]byte, n)
	d.Read(p)
	return p
}

// Seed returns the seed of one entry of a file.
func (d *DRBG) Seed() (seed [SeedSize]byte) {
	d.Read(seed[:])
	return seed
}

func (d *DRBG) key(k []byte) {
	block, err := aes.NewCipher(k)
	if err != nil {
		panic("BUG: nistkat: " + err.Error())
	}
	d.block = block
}

// output encrypts the counter values that follow V.
func (d *DRBG) output(p []byte) {
	for len(p) > 0 {
		for i := len(d.v) - 1; i >= 0; i-- {
			d.v[i]++
			if d.v[i] != 0 {
				break
			}
		}
		var b [aes.BlockSize]byte
		d.block.Encrypt(b[:], d.v[:])
		p = p[copy(p, b[:]):]
	}
}

// update is CTR_DRBG_Update.
func (d *DRBG) update(data [SeedSize]byte) {
	var b [SeedSize]byte
	d.output(b[:])
	for i := range b {
		b[i] ^= data[i]
	}
	d.key(b[:32])
	copy(d.v[:], b[32:])
}

// File returns the generator that the seeds of a file's entries come from: its
// entropy input is the bytes 0 to 47.
func File() *DRBG {
	var seed [SeedSize]byte
	for i := range seed {
		seed[i] = byte(i)
	}
	return New(seed)
}

// Field is a line of an entry: "name = value", where bytes are written as upper case
// hexadecimal digits.
type Field struct {
	Name  string
	Value any
}

// Entry returns the text of an entry.
func Entry(fields ...Field) string {
	var b strings.Builder
	for _, f := range fields {
		if bytes, ok := f.Value.([]byte); ok {
			fmt.Fprintf(&b, "%s = %X\n", f.Name, bytes)
		} else {
			fmt.Fprintf(&b, "%s = %v\n", f.Name, f.Value)
		}
	}
	return b.String()
}
