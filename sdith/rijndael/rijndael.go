// Package rijndael is the block cipher Rijndael with a block of 256 bits and a key
// of 256 bits, in the forward direction. AES is the same cipher with a block of 128
// bits: S-box and MixColumns are those of [FIPS 197], the longer block is in the
// [Rijndael proposal].
//
// Left out: decryption and other lengths, which nothing here needs, and protection
// against side channels: a round is look-ups in tables.
//
// [FIPS 197]: https://doi.org/10.6028/NIST.FIPS.197-upd1
// [Rijndael proposal]: https://csrc.nist.gov/csrc/media/projects/cryptographic-standards-and-guidelines/documents/aes-development/rijndael-ammended.pdf
package rijndael

import (
	"encoding/binary"
	"fmt"
)

const (
	BlockSize = 32 // bytes of a block
	KeySize   = 32 // bytes of a key

	rounds = 14 // Nr for Nb = Nk = 8 (proposal, section 4.1)
)

// pair is two columns of the state, the first in the lower half. The byte of row 0
// is the least significant one of its half. Four pairs a, b, c, d are the state.
type pair = uint64

// both times a word is the pair of two such words.
const both = 1<<32 | 1

// Cipher is the cipher under one key. SetKey makes the zero value usable, and may
// be called again: another key costs no allocation.
type Cipher struct {
	roundKeys [rounds + 1][4]pair
}

// New returns the cipher under a key of 32 bytes.
func New(key []byte) (*Cipher, error) {
	if len(key) != KeySize {
		return nil, fmt.Errorf("rijndael: key of %d bytes, want %d", len(key), KeySize)
	}
	c := new(Cipher)
	c.SetKey((*[KeySize]byte)(key))
	return c, nil
}

// SetKey is the key expansion for Nk > 6 (proposal, section 4.3.1). As Nk is Nb, each
// round key is made of the one before.
//
// Word i of the book is t plus all words from i modulo 4 words before it on. Here
// the words are summed first, and t, which takes longest, comes last and to all four.
func (c *Cipher) SetKey(key *[KeySize]byte) {
	setKey(&boxes, &c.roundKeys, key)
}

// setKey has boxes as an argument for the reason that encrypt has one.
func setKey(boxes *[4][256]pair, keys *[rounds + 1][4]pair, key *[KeySize]byte) {
	a := binary.LittleEndian.Uint64(key[0:])
	b := binary.LittleEndian.Uint64(key[8:])
	c := binary.LittleEndian.Uint64(key[16:])
	d := binary.LittleEndian.Uint64(key[24:])
	keys[0] = [4]pair{a, b, c, d}
	rcon := byte(1)
	for r := 1; r <= rounds; r++ {
		// SubWord(RotWord(w7)) ^ rcon, w7 being the upper half of d.
		t := boxes[0][byte(d>>40)] ^ boxes[1][byte(d>>48)] ^ boxes[2][d>>56] ^ boxes[3][byte(d>>32)] ^ both*pair(rcon)
		a ^= a << 32
		b ^= b<<32 ^ both*(a>>32)
		a ^= t
		b ^= t

		// SubWord(w3)
		t = boxes[0][byte(b>>32)] ^ boxes[1][byte(b>>40)] ^ boxes[2][byte(b>>48)] ^ boxes[3][b>>56]
		c ^= c << 32
		d ^= d<<32 ^ both*(c>>32)
		c ^= t
		d ^= t

		keys[r] = [4]pair{a, b, c, d}
		rcon = double(rcon)
	}
}

// Encrypt encrypts the first 32 bytes of src into dst; they may be the same. Shorter
// slices are a bug of the caller.
func (c *Cipher) Encrypt(dst, src []byte) {
	encrypt(&mixed, &c.roundKeys, (*[BlockSize]byte)(dst), (*[BlockSize]byte)(src))
}

// encrypt has mixed as an argument, so that its address stays in a register.
func encrypt(mixed *tables, keys *[rounds + 1][4]pair, dst, src *[BlockSize]byte) {
	k := &keys[0]
	a := binary.LittleEndian.Uint64(src[0:]) ^ k[0]
	b := binary.LittleEndian.Uint64(src[8:]) ^ k[1]
	c := binary.LittleEndian.Uint64(src[16:]) ^ k[2]
	d := binary.LittleEndian.Uint64(src[24:]) ^ k[3]
	for r := 1; r < rounds; r++ {
		k = &keys[r]
		a, b, c, d = k[0]^round(mixed, a, b, c), k[1]^round(mixed, b, c, d),
			k[2]^round(mixed, c, d, a), k[3]^round(mixed, d, a, b)
	}
	k = &keys[rounds]
	binary.LittleEndian.PutUint64(dst[0:], k[0]^lastRound(a, b, c))
	binary.LittleEndian.PutUint64(dst[8:], k[1]^lastRound(b, c, d))
	binary.LittleEndian.PutUint64(dst[16:], k[2]^lastRound(c, d, a))
	binary.LittleEndian.PutUint64(dst[24:], k[3]^lastRound(d, a, b))
}

// round returns what SubBytes, ShiftRows and MixColumns put in the place of x, where
// y and z are the next pairs of columns, in a circle. For Nb = 8 ShiftRows takes the
// rows 0 to 3 from 0, 1, 3 and 4 columns further on (proposal, section 4.2.2). It is
// just small enough to be inlined.
func round(mixed *tables, x, y, z pair) pair {
	return mixed[0][byte(x)] ^ mixed[1][byte(x>>40)] ^ mixed[2][byte(y>>48)] ^ mixed[3][byte(z>>24)] ^
		mixed[4][byte(x>>32)] ^ mixed[5][byte(y>>8)] ^ mixed[6][byte(z>>16)] ^ mixed[7][z>>56]
}

// lastRound is round without MixColumns.
func lastRound(x, y, z pair) pair {
	return pair(sbox[byte(x)]) | pair(sbox[byte(x>>40)])<<8 | pair(sbox[byte(y>>48)])<<16 | pair(sbox[byte(z>>24)])<<24 |
		pair(sbox[byte(x>>32)])<<32 | pair(sbox[byte(y>>8)])<<40 | pair(sbox[byte(z>>16)])<<48 | pair(sbox[z>>56])<<56
}
