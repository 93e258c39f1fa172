package sdith

import (
	"encoding/binary"
	"math/bits"
)

// Field is a part of a signature: its name in SPEC, section 2, and where it is, in
// bytes.
type Field struct {
	Name   string
	Offset int
	Size   int
}

// SignatureFields returns the fields of a signature in order. They have no gaps.
func (p *Params) SignatureFields() []Field {
	fields := []Field{
		{Name: "salt", Size: p.SeedSize()},
		{Name: "path", Size: p.Open * p.SeedSize()},
		{Name: "hcom_hidden", Size: p.Tau * p.HashSize()},
		{Name: "corr", Size: (p.Tau - 1) * p.VOLESize()},
		{Name: "a_plain", Size: p.CheckBits() / 8},
		{Name: "dwit", Size: p.witnessSize()},
		{Name: "alpha", Size: levels * p.SeedSize()},
		{Name: "h_piop", Size: p.HashSize()},
		{Name: "ctr", Size: 4},
	}
	for i := 1; i < len(fields); i++ {
		fields[i].Offset = fields[i-1].Offset + fields[i-1].Size
	}
	return fields
}

// Signature is a signature taken apart (SPEC, section 2). The slices share memory
// with what it was parsed from.
type Signature struct {
	Params *Params

	Salt       []byte
	Path       []byte // the revealed seeds, by decreasing node, and zeros
	HiddenCom  []byte // hcom_hidden: the commitments of the hidden leaves, by increasing node
	Correction []byte // corr: C_1 to C_{τ-1}
	APlain     []byte // a_plain: n_c bits
	DWit       []byte // dwit: n_in bits
	Alpha      []byte // α_0 to α_3
	HPIOP      []byte // h_piop
	Counter    uint32 // ctr
}

// ParseSignature takes b apart. It returns an error if b cannot be a signature of set
// p for any key and message: another length, or a bit that has to be zero and is not.
func ParseSignature(p *Params, b []byte) (*Signature, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if len(b) != p.SignatureSize() {
		return nil, p.errorf("signature of %d bytes, want %d", len(b), p.SignatureSize())
	}
	var parts [][]byte
	for _, f := range p.SignatureFields() {
		end := f.Offset + f.Size
		parts = append(parts, b[f.Offset:end:end])
	}
	s := &Signature{p, parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6], parts[7],
		binary.LittleEndian.Uint32(parts[8])}
	if bit := unusedBit(s.DWit, p.WitnessBits()); bit >= 0 {
		return nil, p.errorf("signature: dwit: bit %d is set, but a witness has %d bits", bit, p.WitnessBits())
	}
	return s, nil
}

// Bytes is the reverse of [ParseSignature].
func (s *Signature) Bytes() []byte {
	b := make([]byte, 0, s.Params.SignatureSize())
	for _, part := range [][]byte{s.Salt, s.Path, s.HiddenCom, s.Correction, s.APlain, s.DWit, s.Alpha, s.HPIOP} {
		b = append(b, part...)
	}
	return binary.LittleEndian.AppendUint32(b, s.Counter)
}

// unusedBit returns the first of the bits from n on that is set, or -1.
func unusedBit(b []byte, n int) int {
	for i := n / 8; i < len(b); i++ {
		used := max(n-8*i, 0)
		if rest := b[i] >> used; rest != 0 {
			return 8*i + used + bits.TrailingZeros8(rest)
		}
	}
	return -1
}

// bit returns bit i of b, counted from the least significant bit of byte 0 on (SPEC,
// section 1).
func bit(b []byte, i int) byte { return b[i>>3] >> (i & 7) & 1 }

// PublicKey is a public key (SPEC, section 2). Make one with [ParsePublicKey], or get
// it from a secret key.
type PublicKey struct {
	p      *Params
	seedPK []byte
	y      []byte
}

// ParsePublicKey takes a public key apart. Every string of the right length is one.
func ParsePublicKey(p *Params, b []byte) (*PublicKey, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if len(b) != p.PublicKeySize() {
		return nil, p.errorf("public key of %d bytes, want %d", len(b), p.PublicKeySize())
	}
	b = append([]byte(nil), b...)
	return &PublicKey{p, b[:p.SeedSize():p.SeedSize()], b[p.SeedSize():]}, nil
}

// Params returns the set of the key.
func (k *PublicKey) Params() *Params { return k.p }

// SeedPK returns seed_pk, B bytes, from which H is made. Do not change it.
func (k *PublicKey) SeedPK() []byte { return k.seedPK }

// Syndrome returns y, c bits. Do not change it.
func (k *PublicKey) Syndrome() []byte { return k.y }

// Bytes is the reverse of [ParsePublicKey].
func (k *PublicKey) Bytes() []byte { return append(append([]byte(nil), k.seedPK...), k.y...) }

// SecretKey is a secret key, which holds its public key (SPEC, section 2). Make one
// with [ParseSecretKey] or [Params.GenerateKey].
type SecretKey struct {
	PublicKey
	seedSK []byte
	wit    []byte
}

// ParseSecretKey takes a secret key apart. It returns an error if no secret key of set
// p is b: another length, a bit that has to be zero and is not, or a witness that is no
// list of positions. Whether the witness belongs to seed_pk and y is for
// [SecretKey.Sign] to see, as it takes all of H.
func ParseSecretKey(p *Params, b []byte) (*SecretKey, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if len(b) != p.SecretKeySize() {
		return nil, p.errorf("secret key of %d bytes, want %d", len(b), p.SecretKeySize())
	}
	rest := append([]byte(nil), b...)
	next := func(n int) []byte {
		part := rest[:n:n]
		rest = rest[n:]
		return part
	}
	k := &SecretKey{seedSK: next(p.SeedSize())}
	k.p, k.seedPK = p, next(p.SeedSize())
	k.wit = next(p.witnessSize())
	k.y = rest
	if bit := unusedBit(k.wit, p.WitnessBits()); bit >= 0 {
		return nil, p.errorf("secret key: wit: bit %d is set, but a witness has %d bits", bit, p.WitnessBits())
	}
	if _, err := p.WitnessPositions(k.wit); err != nil {
		return nil, err
	}
	return k, nil
}

// Witness returns wit, n_in bits. Do not change it.
func (k *SecretKey) Witness() []byte { return k.wit }

// Bytes is the reverse of [ParseSecretKey].
func (k *SecretKey) Bytes() []byte {
	b := append(append([]byte(nil), k.seedSK...), k.seedPK...)
	return append(append(b, k.wit...), k.y...)
}
