// Package field is the arithmetic of GF(2^128), GF(2^192) and GF(2^256) as SDitH
// version 2 uses it (SPEC, section 3): polynomials over GF(2) in z, modulo
//
//	z^128 + z^7 + z^2 + z + 1
//	z^192 + z^7 + z^2 + z + 1
//	z^256 + z^10 + z^5 + z^2 + 1
//
// An element is λ/8 bytes; bit i, counted from the least significant bit of byte 0
// on, is the coefficient of z^i. No bits are reflected, unlike in GCM.
//
// The three fields are types of their own, [GF128], [GF192] and [GF256], so that a
// mixed product does not compile; a scheme is generic over [Element]. Left out:
// other fields, and protection against side channels. Products happen to take the
// same time for all operands, sums of chosen terms do not.
package field

// Element is the set of the three types, as a constraint. Its methods do not change
// their receiver. Only this package can have others: some methods are unexported.
type Element[E any] interface {
	comparable

	Add(y E) E       // sum, which is the difference too
	Mul(y E) E       // product
	Shift(k int) E   // product with z^k, 0 ≤ k ≤ 63
	Inverse() E      // inverse; 0 for 0
	Bytes() []byte   // Size bytes
	Size() int       // bytes of an element, whatever the receiver
	Load(b []byte) E // element of the first Size bytes of b, whatever the receiver

	sum(tables [][2][16]E, bits []byte) E
}

// Parse returns the elements that stand in b one after the other. A length that is
// no multiple of their size is a bug of the caller.
func Parse[E Element[E]](b []byte) []E {
	var zero E
	size := zero.Size()
	if len(b)%size != 0 {
		panic("BUG: field: bytes after the last element")
	}
	x := make([]E, len(b)/size)
	for i := range x {
		x[i] = zero.Load(b[size*i:])
	}
	return x
}

// Bytes is the reverse of [Parse].
func Bytes[E Element[E]](x ...E) []byte {
	var zero E
	b := make([]byte, 0, len(x)*zero.Size())
	for _, e := range x {
		b = append(b, e.Bytes()...)
	}
	return b
}

// Bit returns the element of a bit: 1 if the lowest bit of b is set, or 0.
func Bit[E Element[E]](b byte) E {
	var zero E
	one := make([]byte, zero.Size())
	one[0] = b & 1
	return zero.Load(one)
}

// Horner returns Σ z^i·terms[i].
func Horner[E Element[E]](terms []E) E {
	var sum E
	for i := len(terms) - 1; i >= 0; i-- {
		sum = sum.Shift(1).Add(terms[i])
	}
	return sum
}

// inverse is x^(2^λ - 2), the product of all x^(2^i) with 0 < i < λ.
func inverse[E Element[E]](x E) E {
	power := x.Mul(x)
	product := power
	for range 8*x.Size() - 2 {
		power = power.Mul(power)
		product = product.Mul(power)
	}
	return product
}

// Sums holds a list of terms such that the sum of any choice of them is quick: for
// every byte of a choice it has the 16 sums of its lower and of its upper four terms.
type Sums[E Element[E]] struct {
	tables [][2][16]E
}

// NewSums returns the sums of terms, whose number is a multiple of 8; any other is
// a bug of the caller.
func NewSums[E Element[E]](terms []E) Sums[E] {
	if len(terms)%8 != 0 {
		panic("BUG: field: the number of terms is no multiple of 8")
	}
	s := Sums[E]{make([][2][16]E, len(terms)/8)}
	for i, term := range terms {
		t := &s.tables[i/8][i%8/4]
		bit := 1 << (i % 4)
		for choice := range bit {
			t[bit|choice] = t[choice].Add(term)
		}
	}
	return s
}

// Of returns the sum of the terms that bits chooses: bit i, counted from the least
// significant bit of byte 0 on, chooses term i. It takes one bit for every term; any
// other length is a bug of the caller.
func (s Sums[E]) Of(bits []byte) E {
	if len(bits) != len(s.tables) {
		panic("BUG: field: the number of bits is not the number of terms")
	}
	var zero E
	return zero.sum(s.tables, bits)
}
