package falcon

import "encoding/binary"

// generate is NTRUGen (Algorithm 5) from the open stream of the hash, and line 8
// of Keygen: a secret key and its h.
func (s *Scheme) generate() (*key, []uint16) {
	for {
		s.attempts++
		f, g := s.gaussianPoly(), s.gaussianPoly()
		if !s.encodable(f) || !s.encodable(g) || !shortBasis(f, g) {
			continue
		}
		h, ok := publicKey(f, g)
		if !ok {
			continue
		}
		if bigF, bigG, ok := ntruSolve(f, g); ok {
			return &key{f, g, bigF, bigG}, h
		}
	}
}

// gaussianTable is the Gaussian that coefficients have for n = 1024, σ =
// 1.17·√(q/2n), in units of 2⁻⁶³. Entry 0 is the probability of 0; entry k that of
// more than k, given that the value is positive.
var gaussianTable = [27]uint64{
	1283868770400643928, 6416574995475331444, 4078260278032692663, 2353523259288686585, 1227179971273316331,
	575931623374121527, 242543240509105209, 91437049221049666, 30799446349977173, 9255276791179340,
	2478152334826140, 590642893610164, 125206034929641, 23590435911403, 3948334035941, 586753615614,
	77391054539, 9056793210, 940121950, 86539696, 7062824, 510971, 32764, 1862, 94, 4, 0,
}

// gaussian draws one coefficient. For smaller degrees it is a sum of 1024/n
// values.
func (s *Scheme) gaussian() int {
	const low63 = 1<<63 - 1
	sum := 0
	for range 1 << (maxLogN - s.LogN) {
		var b [16]byte
		s.xof.Squeeze(b[:])
		first, second := binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:])
		if first&low63 < gaussianTable[0] {
			continue
		}
		k := 1
		for second&low63 < gaussianTable[k] {
			k++
		}
		if first>>63 == 1 {
			k = -k
		}
		sum += k
	}
	return sum
}

// gaussianPoly draws a polynomial whose resultant with xⁿ+1 is odd: the sum of its
// coefficients is, or else the last one is drawn again.
func (s *Scheme) gaussianPoly() []int8 {
	f := make([]int8, s.N())
	parity := 0
	for i := 0; i < len(f); {
		c := s.gaussian()
		if c < -127 || c > 127 || i == len(f)-1 && parity^c&1 == 0 {
			continue
		}
		parity ^= c & 1
		f[i] = int8(c)
		i++
	}
	return f
}

// encodable reports whether every coefficient has a form in the secret key.
func (p Params) encodable(f []int8) bool {
	most := int8(1<<(p.fgBits()-1) - 1)
	for _, c := range f {
		if c < -most || c > most {
			return false
		}
	}
	return true
}

// shortBasis reports whether both (g, -f) and its orthogonal companion
// (qf*, qg*)/(ff* + gg*) are at most 1.17·√q long: lines 4 to 7 of NTRUGen.
func shortBasis(f, g []int8) bool {
	const most = 16822.4121 // 1.17²·q
	var norm int
	for i := range f {
		norm += int(f[i])*int(f[i]) + int(g[i])*int(g[i])
	}
	if float64(norm) > most {
		return false
	}
	ff, gf := fftOf(f), fftOf(g)
	inv := invNorm2(ff, gf)
	a := ff.adjoint().scale(q).scaleBy(inv).ifft()
	b := gf.adjoint().scale(q).scaleBy(inv).ifft()
	var sum float64
	for i := range a {
		sum += float64(a[i] * a[i])
		sum += float64(b[i] * b[i])
	}
	return sum < most
}

// adjoint is p*.
func (p poly) adjoint() poly {
	out := make(poly, len(p))
	for j, c := range p {
		out[j] = c.conj()
	}
	return out
}
