package pipeline

// memory is a memory of bits, with one port to read and one to write, or registers, of
// which all can be read and written at once. Nothing of a signature in the making is
// kept anywhere else, but for the elements in the registers of [product].
type memory struct {
	name      string
	words     int
	width     int  // bits of a word
	registers bool // no ports
	data      []byte

	reads, writes unit
	port          int   // bits a cycle
	banks         int   // which can all be read at once
	there         cycle // when all that was written can be read
	traffic       [NumPhases]traffic
}

// traffic is the bits that went through the ports in a phase.
type traffic struct{ read, written uint64 }

// newMemory returns a memory whose ports take port bits a cycle.
func (s *schedule) newMemory(name string, words, width, port int) *memory {
	return &memory{
		name: name, words: words, width: width, port: port, banks: 1, data: make([]byte, (words*width+7)/8),
		reads: s.newUnit(name + " read"), writes: s.newUnit(name + " write"),
	}
}

// newRegisters returns registers.
func newRegisters(name string, words, width int) *memory {
	return &memory{name: name, words: words, width: width, registers: true, data: make([]byte, (words*width+7)/8)}
}

// bits is the size of the memory.
func (m *memory) bits() int { return m.words * m.width }

// reset forgets the use of the ports and the contents.
func (m *memory) reset() {
	clear(m.data)
	m.traffic, m.there = [NumPhases]traffic{}, 0
	m.reads.reset()
	m.writes.reset()
}

// cycles is how long n bits take through a port.
func (m *memory) cycles(n int) cycle { return cycle((n + m.port - 1) / m.port) }

// load books that n bits are read, not before ready; all of them are there when it
// returns. The first are there a cycle after start.
func (m *memory) load(ready cycle, n int) (start, done cycle) {
	m.traffic[m.reads.s.phase].read += uint64(n)
	busy := m.cycles(n)
	start = m.reads.run(ready, busy, uint64(busy))
	return start, start + busy
}

// loadAll books that n bits of every bank are read, all banks at once.
func (m *memory) loadAll(ready cycle, n int) (start, done cycle) {
	m.traffic[m.reads.s.phase].read += uint64(n * (m.banks - 1))
	return m.load(ready, n)
}

// store books that n bits are written.
func (m *memory) store(ready cycle, n int) (done cycle) {
	m.traffic[m.writes.s.phase].written += uint64(n)
	busy := m.cycles(n)
	m.there = m.writes.run(ready, busy, uint64(busy)) + busy
	return m.there
}

// For the data itself there is no time to wait in: who reads a word has the register that
// it goes to, and asks for it when that is free.

// read returns size bytes from byte at on, and when all of them are there.
func (m *memory) read(ready cycle, at, size int) (b []byte, done cycle) {
	_, done = m.load(ready, 8*size)
	return m.data[at : at+size], done
}

// write puts b at byte at.
func (m *memory) write(ready cycle, at int, b []byte) (done cycle) {
	copy(m.data[at:at+len(b)], b)
	return m.store(ready, 8*len(b))
}

// word returns the bytes of word i, whose width is whole bytes.
func (m *memory) word(i int) []byte {
	size := m.width / 8
	return m.data[i*size : (i+1)*size]
}

// putBits puts the n ≤ 32 low bits of v at bit at, and leaves the bits around them.
func putBits(data []byte, at int, v uint32, n int) {
	for n > 0 {
		shift := at % 8
		k := min(8-shift, n)
		mask := byte(1<<k-1) << shift
		data[at/8] = data[at/8]&^mask | byte(v<<shift)&mask
		v >>= k
		at, n = at+k, n-k
	}
}

// moveBits puts the n bits from bit at of data on into dst, which it clears behind
// them.
func moveBits(dst, data []byte, at, n int) {
	clear(dst)
	shift := at % 8
	for i := 0; 8*i < n; i++ {
		b := data[at/8+i] >> shift
		if shift > 0 && at/8+i+1 < len(data) {
			b |= data[at/8+i+1] << (8 - shift)
		}
		if rest := n - 8*i; rest < 8 {
			b &= 1<<rest - 1
		}
		dst[i] = b
	}
}

// bitAt returns bit i of b (SPEC, section 1).
func bitAt(b []byte, i int) byte { return b[i/8] >> (i % 8) & 1 }

// getBits returns the n ≤ 32 bits from bit at on.
func getBits(data []byte, at, n int) (v uint32) {
	for i := 0; i < n; {
		shift := (at + i) % 8
		k := min(8-shift, n-i)
		v |= uint32(data[(at+i)/8]>>shift&(1<<k-1)) << i
		i += k
	}
	return v
}

// putWide is putBits for any n: bits above the 32 of v are zero.
func putWide(data []byte, at int, v uint32, n int) {
	low := min(n, 32)
	putBits(data, at, v, low)
	for at, n = at+low, n-low; n > 0; n -= low {
		low = min(n, 32)
		putBits(data, at, 0, low)
		at += low
	}
}
