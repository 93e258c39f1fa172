package sdith

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
)

// drbgSeedSize is the length of a seed of the DRBG: a key and a counter.
const drbgSeedSize = 48

// DRBG is the random bit generator of NIST's known answers (SPEC, section 5): CTR_DRBG
// of SP 800-90A over AES-256, without derivation function. It is for known answers
// only. Make one with [NewDRBG].
type DRBG struct {
	key cipher.Block
	v   [aes.BlockSize]byte // a big-endian counter
}

// NewDRBG returns the generator started with a seed: what a key and a counter are XORed
// with.
func NewDRBG(seed [48]byte) *DRBG {
	d := &DRBG{key: newAES256(make([]byte, 32))}
	d.update(seed[:])
	return d
}

// Random returns the next n bytes. What is drawn depends on where one call ends and the
// next begins.
func (d *DRBG) Random(n int) []byte {
	out := d.blocks(n)
	d.update(make([]byte, drbgSeedSize))
	return out
}

func (d *DRBG) update(data []byte) {
	next := d.blocks(drbgSeedSize)
	subtle.XORBytes(next, next, data)
	d.key = newAES256(next[:32])
	copy(d.v[:], next[32:])
}

// blocks returns n bytes of encrypted counters; the rest of the last block is lost.
func (d *DRBG) blocks(n int) []byte {
	var out []byte
	for len(out) < n {
		for i := len(d.v) - 1; i >= 0; i-- {
			d.v[i]++
			if d.v[i] != 0 {
				break
			}
		}
		var block [aes.BlockSize]byte
		d.key.Encrypt(block[:], d.v[:])
		out = append(out, block[:]...)
	}
	return out[:n]
}

func newAES256(key []byte) cipher.Block {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic("BUG: AES-256 takes no key of 32 bytes: " + err.Error())
	}
	return block
}
