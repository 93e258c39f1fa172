package mldsa

import (
	"errors"
	"fmt"
)

// simpleBitPack appends SimpleBitPack(w, 2^bits - 1) to b (FIPS 204, Algorithm 16).
func simpleBitPack(b []byte, w ringElement, bits int) []byte {
	held, count := uint32(0), 0
	for _, c := range w {
		held |= c << count
		for count += bits; count >= 8; count -= 8 {
			b = append(b, byte(held))
			held >>= 8
		}
	}
	return b
}

// simpleBitUnpack is SimpleBitUnpack (FIPS 204, Algorithm 18) of the first 32·bits
// bytes of v.
func simpleBitUnpack(v []byte, bits int) (w ringElement) {
	held, count := uint32(0), 0
	for i := range w {
		for count < bits {
			held |= uint32(v[0]) << count
			v = v[1:]
			count += 8
		}
		w[i] = held & (1<<bits - 1)
		held >>= bits
		count -= bits
	}
	return w
}

// bitPack appends BitPack(w, a, b) to buf (FIPS 204, Algorithm 17): b - c for every
// coefficient c, which takes that many bits.
func bitPack(buf []byte, w ringElement, bits, b int) []byte {
	for i := range w {
		w[i] = uint32(int32(b) - centered(w[i]))
	}
	return simpleBitPack(buf, w, bits)
}

// bitUnpack is BitUnpack(v, a, b) (FIPS 204, Algorithm 19).
func bitUnpack(v []byte, bits, b int) ringElement {
	w := simpleBitUnpack(v, bits)
	for i := range w {
		w[i] = element(int32(b) - int32(w[i]))
	}
	return w
}

// pkEncode is pkEncode (FIPS 204, Algorithm 22).
func (s *Scheme) pkEncode(ρ []byte, t1 []ringElement) []byte {
	pk := append([]byte{}, ρ...)
	for _, t := range t1 {
		pk = simpleBitPack(pk, t, 10)
	}
	return pk
}

// pkDecode is pkDecode (FIPS 204, Algorithm 23).
func (s *Scheme) pkDecode(pk []byte) (ρ []byte, t1 []ringElement) {
	ρ, pk = pk[:hashSize], pk[hashSize:]
	t1 = make([]ringElement, s.K)
	for i := range t1 {
		t1[i] = simpleBitUnpack(pk[i*t1PolySize:], 10)
	}
	return ρ, t1
}

// secretKey is what a secret key holds.
type secretKey struct {
	rho, key, tr []byte // ρ, K, tr
	s1, s2, t0   []ringElement
}

// skEncode is skEncode (FIPS 204, Algorithm 24).
func (s *Scheme) skEncode(ρ, key, tr []byte, s1, s2, t0 []ringElement) []byte {
	sk := append(append(append([]byte{}, ρ...), key...), tr...)
	for _, v := range [][]ringElement{s1, s2} {
		for i := range v {
			sk = bitPack(sk, v[i], s.etaBits(), s.Eta)
		}
	}
	for i := range t0 {
		sk = bitPack(sk, t0[i], d, 1<<(d-1))
	}
	return sk
}

// skDecode is skDecode (FIPS 204, Algorithm 25). As the standard says, it is for
// keys from a trusted source: what is no coefficient is not found out.
func (s *Scheme) skDecode(sk []byte) (key secretKey) {
	cut := func(size int) (b []byte) {
		b, sk = sk[:size], sk[size:]
		return b
	}
	key.rho, key.key, key.tr = cut(hashSize), cut(hashSize), cut(s.trSize())
	for range s.L {
		key.s1 = append(key.s1, bitUnpack(cut(s.etaSize()), s.etaBits(), s.Eta))
	}
	for range s.K {
		key.s2 = append(key.s2, bitUnpack(cut(s.etaSize()), s.etaBits(), s.Eta))
	}
	for range s.K {
		key.t0 = append(key.t0, bitUnpack(cut(t0PolySize), d, 1<<(d-1)))
	}
	return key
}

// sigEncode is sigEncode (FIPS 204, Algorithm 26), with HintBitPack (Algorithm 20).
func (s *Scheme) sigEncode(c []byte, z, h []ringElement) []byte {
	sig := append([]byte{}, c...)
	for i := range z {
		sig = bitPack(sig, z[i], s.zBits(), s.Gamma1)
	}
	y := make([]byte, s.Omega+s.K)
	index := 0
	for i := range h {
		for j, bit := range h[i] {
			if bit != 0 {
				y[index] = byte(j)
				index++
			}
		}
		y[s.Omega+i] = byte(index)
	}
	return append(sig, y...)
}

// sigDecode is sigDecode (FIPS 204, Algorithm 27), with HintBitUnpack (Algorithm
// 21), whose failures are errors here.
func (s *Scheme) sigDecode(sig []byte) (c []byte, z, h []ringElement, err error) {
	c, sig = sig[:s.cSize()], sig[s.cSize():]
	z = make([]ringElement, s.L)
	for i := range z {
		z[i] = bitUnpack(sig[i*s.zSize():], s.zBits(), s.Gamma1)
	}
	y := sig[s.L*s.zSize():]
	h = make([]ringElement, s.K)
	index := 0
	for i := range h {
		first, end := index, int(y[s.Omega+i])
		if end < index || end > s.Omega {
			return nil, nil, nil, fmt.Errorf("hints of h[%d] end at %d, after %d of %d", i, end, index, s.Omega)
		}
		for ; index < end; index++ {
			if index > first && y[index-1] >= y[index] {
				return nil, nil, nil, fmt.Errorf("hints of h[%d] are not in ascending order", i)
			}
			h[i][y[index]] = 1
		}
	}
	for ; index < s.Omega; index++ {
		if y[index] != 0 {
			return nil, nil, nil, errors.New("bytes behind the last hint are not zero")
		}
	}
	return c, z, h, nil
}

// w1Encode is w1Encode (FIPS 204, Algorithm 28).
func (s *Scheme) w1Encode(w1 []ringElement) (b []byte) {
	for i := range w1 {
		b = simpleBitPack(b, w1[i], s.w1Bits())
	}
	return b
}
