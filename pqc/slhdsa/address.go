package slhdsa

import "encoding/binary"

const addressBytes = 32

// address is ADRS (FIPS 205, section 4.2): it tells every hash call in a key
// from every other. In bytes: layer 0-3, tree 4-15, type 16-19, and three words
// whose meaning depends on the type. Big endian.
type address [addressBytes]byte

// addressType is the type word (FIPS 205, section 4.2, table 1).
type addressType uint32

const (
	wotsHash addressType = iota
	wotsPK
	tree
	forsTree
	forsRoots
	wotsPRF
	forsPRF
)

// The member functions of FIPS 205, section 4.3. Chain address and tree height
// share a word, hash address and tree index too.
func (a *address) setLayerAddress(l int)        { a.setWord(0, uint32(l)) }
func (a *address) setTreeAddress(t uint64)      { binary.BigEndian.PutUint64(a[8:], t) } // below 2^64 in every set
func (a *address) setKeyPairAddress(i uint32)   { a.setWord(20, i) }
func (a *address) setChainAddress(i int)        { a.setWord(24, uint32(i)) }
func (a *address) setTreeHeight(z int)          { a.setWord(24, uint32(z)) }
func (a *address) setHashAddress(i int)         { a.setWord(28, uint32(i)) }
func (a *address) setTreeIndex(i uint32)        { a.setWord(28, i) }
func (a *address) keyPairAddress() uint32       { return binary.BigEndian.Uint32(a[20:]) }
func (a *address) setWord(offset int, v uint32) { binary.BigEndian.PutUint32(a[offset:], v) }

// setTypeAndClear sets the type and zeroes the three words after it.
func (a *address) setTypeAndClear(y addressType) {
	a.setWord(16, uint32(y))
	clear(a[20:])
}

// as returns the address as one of another type for the same key pair, as the
// standard writes it in three lines: copy, setTypeAndClear, setKeyPairAddress.
func (a *address) as(y addressType) address {
	b := *a
	b.setTypeAndClear(y)
	b.setKeyPairAddress(a.keyPairAddress())
	return b
}
