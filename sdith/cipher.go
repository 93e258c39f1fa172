package sdith

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"

	"socsim/sdith/rijndael"
)

// Cipher is the block cipher E of a set under one key (SPEC, section 4.1): AES-128 at
// λ = 128, else Rijndael with blocks and keys of 256 bits. It counts what it does.
// Make one with [Params.NewCipher] and set a seed before anything else.
type Cipher struct {
	KeySchedules uint64 // calls of SetSeed
	Blocks       uint64 // blocks encrypted

	p        *Params
	aes      cipher.Block // nil if the cipher is Rijndael
	rijndael rijndael.Cipher

	// What E reads and writes is here, so that no call allocates.
	key [rijndael.KeySize]byte
	in  [2 * rijndael.BlockSize]byte
	out [2 * rijndael.BlockSize]byte
}

// BlockSize is BL, the bytes of a block of E.
func (p *Params) BlockSize() int {
	if p.Lambda == 128 {
		return aes.BlockSize
	}
	return rijndael.BlockSize
}

// zeros is the number of zero bytes that come before a seed or a salt to fill a block:
// 8 at λ = 192, else none.
func (p *Params) zeros() int { return p.BlockSize() - p.SeedSize() }

// NewCipher returns the E of the set, without a key.
func (p *Params) NewCipher() *Cipher { return &Cipher{p: p} }

// SetSeed makes KEY(s) the key (SPEC, section 4.1) for a seed s of B bytes.
func (c *Cipher) SetSeed(s []byte) {
	c.KeySchedules++
	if c.p.Lambda != 128 {
		copy(c.key[c.p.zeros():], s[:c.p.SeedSize()])
		c.rijndael.SetKey(&c.key)
		return
	}
	// This allocates, and is yet faster than a key schedule without AES instructions.
	block, err := aes.NewCipher(s[:c.p.SeedSize()])
	if err != nil {
		panic("BUG: AES-128 takes no key of 16 bytes: " + err.Error())
	}
	c.aes = block
}

// Encrypt encrypts one block, the first BL bytes of src, into dst.
func (c *Cipher) Encrypt(dst, src []byte) {
	c.Blocks++
	if c.aes != nil {
		c.aes.Encrypt(dst, src)
	} else {
		c.rijndael.Encrypt(dst, src)
	}
}

// StreamBlock writes block i of STREAM(s) (SPEC, section 4.2), BL bytes, to dst, where
// s is the seed that was set last.
func (c *Cipher) StreamBlock(dst []byte, i uint64) {
	clear(c.in[:c.p.BlockSize()])
	binary.LittleEndian.PutUint64(c.in[:], i)
	c.Encrypt(dst, c.in[:c.p.BlockSize()])
}

// PairInputs writes c0 and c1 of PAIR (SPEC, section 4.3), BL bytes each, to dst. The
// salt has B bytes, the tweak t is even.
func (p *Params) PairInputs(dst, salt []byte, t uint32) {
	n := p.BlockSize()
	c0, c1 := dst[:n], dst[n:2*n]
	clear(c0[:p.zeros()])
	copy(c0[p.zeros():], salt[:p.SeedSize()])
	low := binary.LittleEndian.Uint64(c0) ^ uint64(t)
	binary.LittleEndian.PutUint64(c0, low)
	copy(c1, c0)
	for i := range c1 { // plus one, with carry
		c1[i]++
		if c1[i] != 0 {
			break
		}
	}
}

// PairOutput returns the 2B bytes of PAIR in the two blocks that E makes of its
// inputs (SPEC, section 4.3): all of them, but at λ = 192 without the first and last 8.
func (p *Params) PairOutput(blocks []byte) []byte {
	return blocks[p.zeros() : p.zeros()+p.HashSize()]
}

// PairInto writes PAIR(salt, s, t) (SPEC, section 4.3), 2B bytes, to dst, where s is
// the seed that was set last.
func (c *Cipher) PairInto(dst, salt []byte, t uint32) {
	n := c.p.BlockSize()
	c.p.PairInputs(c.in[:], salt, t)
	c.Encrypt(c.out[:n], c.in[:n])
	c.Encrypt(c.out[n:2*n], c.in[n:2*n])
	copy(dst, c.p.PairOutput(c.out[:]))
}

// Stream is STREAM(s) (SPEC, section 4.2), read from any place.
type Stream struct {
	c    *Cipher
	at   int                      // the byte to be read next
	held int                      // number of the block in buf, -1 for none
	buf  [rijndael.BlockSize]byte // a block of which not all was read at once
}

// NewStream returns the start of STREAM(s). It makes s the key of c, which must stay
// so while the stream is read.
func NewStream(c *Cipher, s []byte) *Stream {
	c.SetSeed(s)
	return &Stream{c: c, held: -1}
}

// Seek makes byte number at of the stream the next to be read.
func (s *Stream) Seek(at int) { s.at = at }

// Read fills dst with the next bytes of the stream.
func (s *Stream) Read(dst []byte) {
	n := s.c.p.BlockSize()
	number, skip := s.at/n, s.at%n
	s.at += len(dst)
	for ; len(dst) > 0; number++ {
		if skip == 0 && len(dst) >= n {
			s.c.StreamBlock(dst[:n], uint64(number))
			dst = dst[n:]
			continue
		}
		if s.held != number {
			s.c.StreamBlock(s.buf[:n], uint64(number))
			s.held = number
		}
		dst = dst[copy(dst, s.buf[skip:n]):]
		skip = 0
	}
}
