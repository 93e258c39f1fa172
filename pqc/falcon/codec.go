package falcon

import (
	"errors"
	"fmt"
)

// First bytes of keys and signatures (section 3.11), to which LogN is added.
const (
	headerPublic    = 0x00
	headerSignature = 0x30
	headerSecret    = 0x50
)

const bigFBits = 8 // of a coefficient of F in the secret key

// bitWriter appends numbers of so many bits, most significant bit first.
type bitWriter struct {
	out  []byte
	acc  uint64
	bits int
}

func (w *bitWriter) put(v uint32, bits int) {
	w.acc = w.acc<<bits | uint64(v)&(1<<bits-1)
	for w.bits += bits; w.bits >= 8; {
		w.bits -= 8
		w.out = append(w.out, byte(w.acc>>w.bits))
	}
}

// end fills the last byte with zeros.
func (w *bitWriter) end() []byte {
	if w.bits > 0 {
		w.put(0, 8-w.bits)
	}
	return w.out
}

// bitReader takes them out again. Beyond the end it reads zeros and sets short.
type bitReader struct {
	in    []byte
	acc   uint64
	bits  int
	short bool
}

func (r *bitReader) get(bits int) uint32 {
	for r.bits < bits {
		r.acc <<= 8
		if len(r.in) > 0 {
			r.acc |= uint64(r.in[0])
			r.in = r.in[1:]
		} else {
			r.short = true
		}
		r.bits += 8
	}
	r.bits -= bits
	return uint32(r.acc >> r.bits & (1<<bits - 1))
}

// end drops the rest of the last byte and reports whether it was zeros.
func (r *bitReader) end() bool { return r.get(r.bits) == 0 }

// key is a secret key.
type key struct{ f, g, F, G []int8 }

func (p Params) encodePublic(h []uint16) []byte {
	w := bitWriter{out: []byte{headerPublic + byte(p.LogN)}}
	for _, c := range h {
		w.put(uint32(c), 14)
	}
	return w.end()
}

func (s *Scheme) decodePublic(pk []byte) ([]uint16, error) {
	if err := s.checkForm("public key", pk, s.PublicKeySize(), headerPublic); err != nil {
		return nil, err
	}
	r := bitReader{in: pk[1:]}
	h := make([]uint16, s.N())
	for i := range h {
		h[i] = uint16(r.get(14))
		if h[i] >= q {
			return nil, fmt.Errorf("%s: public key: coefficient %d is %d, want less than %d", s.Name(), i, h[i], q)
		}
	}
	if !r.end() {
		return nil, fmt.Errorf("%s: public key: its last bits are not zero", s.Name())
	}
	return h, nil
}

func (p Params) encodeSecret(k *key) []byte {
	out := []byte{headerSecret + byte(p.LogN)}
	for _, part := range p.secretParts(k) {
		w := bitWriter{out: out}
		for _, c := range part.of {
			w.put(uint32(c), part.bits)
		}
		out = w.end()
	}
	return out
}

// part is a polynomial of a secret key, with the bits of a coefficient.
type part struct {
	name string
	of   []int8
	bits int
}

// secretParts are the polynomials of a secret key in order; each begins with a
// byte of its own. G is not one of them: it follows from the others.
func (p Params) secretParts(k *key) [3]part {
	return [3]part{{"f", k.f, p.fgBits()}, {"g", k.g, p.fgBits()}, {"F", k.F, bigFBits}}
}

func (s *Scheme) decodeSecret(sk []byte) (*key, error) {
	if err := s.checkForm("secret key", sk, s.SecretKeySize(), headerSecret); err != nil {
		return nil, err
	}
	n := s.N()
	k := &key{f: make([]int8, n), g: make([]int8, n), F: make([]int8, n)}
	r := bitReader{in: sk[1:]}
	for _, part := range s.secretParts(k) {
		for i := range part.of {
			v := int32(r.get(part.bits)) << (32 - part.bits) >> (32 - part.bits)
			if v == -1<<(part.bits-1) {
				return nil, fmt.Errorf("%s: secret key: coefficient %d of %s is %d, which is no value", s.Name(), i, part.name, v)
			}
			part.of[i] = int8(v)
		}
		if !r.end() {
			return nil, fmt.Errorf("%s: secret key: the last bits of %s are not zero", s.Name(), part.name)
		}
	}
	var ok bool
	if k.G, ok = completeKey(k.f, k.g, k.F); !ok {
		return nil, fmt.Errorf("%s: secret key: no G belongs to its f, g and F", s.Name())
	}
	return k, nil
}

// checkForm checks length and header.
func (s *Scheme) checkForm(what string, b []byte, size int, header byte) error {
	if err := s.checkLen(what, b, size); err != nil {
		return err
	}
	return s.checkHeader(what, b, header)
}

func (s *Scheme) checkHeader(what string, b []byte, header byte) error {
	if want := header + byte(s.LogN); b[0] != want {
		return fmt.Errorf("%s: %s begins with 0x%02x, want 0x%02x", s.Name(), what, b[0], want)
	}
	return nil
}

// compress is Compress (Algorithm 17): it appends s₂ to out, at most up to a
// length of most bytes. A coefficient is its sign, its low seven bits, and the
// rest in unary.
func compress(out []byte, s2 []int16, most int) ([]byte, bool) {
	w := bitWriter{out: out}
	for _, c := range s2 {
		sign, v := uint32(0), uint32(c)
		if c < 0 {
			sign, v = 1, uint32(-int32(c))
		}
		if v > 2047 {
			return nil, false
		}
		w.put(sign, 1)
		w.put(v, 7)
		w.put(1, int(v>>7)+1)
	}
	out = w.end()
	return out, len(out) <= most
}

// decodeSignature takes s₂ out of a signature: Decompress (Algorithm 18) and the
// checks before it. There is one encoding of every s₂.
func (s *Scheme) decodeSignature(sig []byte) ([]int16, error) {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%s: signature: %w", s.Name(), fmt.Errorf(format, args...))
	}
	if len(sig) <= 1+NonceSize {
		return nil, bad("%d bytes, want more than %d", len(sig), 1+NonceSize)
	}
	if err := s.checkHeader("signature", sig, headerSignature); err != nil {
		return nil, err
	}
	r := bitReader{in: sig[1+NonceSize:]}
	s2 := make([]int16, s.N())
	for i := range s2 {
		sign, v := r.get(1), r.get(7)
		for r.get(1) == 0 && !r.short {
			if v += 128; v > 2047 {
				return nil, bad("coefficient %d is above 2047", i)
			}
		}
		switch {
		case r.short:
			return nil, bad("it ends in coefficient %d of %d", i, len(s2))
		case sign == 1 && v == 0:
			return nil, bad("coefficient %d is minus zero", i)
		case sign == 1:
			s2[i] = -int16(v)
		default:
			s2[i] = int16(v)
		}
	}
	if !r.end() {
		return nil, bad("its last bits are not zero")
	}
	if err := s.checkPadding(sig, r.in); err != nil {
		return nil, bad("%w", err)
	}
	return s2, nil
}

// checkPadding checks what follows the last coefficient.
func (s *Scheme) checkPadding(sig, rest []byte) error {
	if len(rest) > 0 && len(sig) != s.PaddedSize() {
		return fmt.Errorf("%d bytes follow the last coefficient; only a padded signature, of %d bytes, has more", len(rest), s.PaddedSize())
	}
	for _, b := range rest {
		if b != 0 {
			return errors.New("its padding is not zero")
		}
	}
	return nil
}
