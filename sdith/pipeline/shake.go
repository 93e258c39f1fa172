package pipeline

import (
	"socsim/pqc/xof"
	"socsim/sdith"
)

// shake is the core for the set's XOF. It takes and gives a word a cycle, while it does
// not permute.
type shake struct {
	unit
	x    xof.State
	rate int // bytes
	word int // bytes
	perm cycle
	done int    // bytes of the message, or of the output, so far
	out  bool   // it is the output
	all  uint64 // permutations so far
}

func (s *schedule) newShake(p *sdith.Params, costs Costs) shake {
	rate := 136 // SHAKE256, FIPS 202
	if p.Lambda == 128 {
		rate = 168 // SHAKE128
	}
	return shake{unit: s.newUnit("shake"), x: p.NewXOF(), rate: rate, word: costs.Word / 8, perm: cycle(costs.Permutation)}
}

// begin starts a message.
func (h *shake) begin() {
	h.x.Reset()
	h.done, h.out = 0, false
	h.all = h.x.Permutations()
}

// absorb takes b in. The state can be read from done on.
func (h *shake) absorb(ready cycle, b []byte) (done cycle) {
	h.x.Absorb(b)
	return h.took(ready, len(b))
}

// absorbFrom takes in size bytes of a memory from byte at on, not before ready, each word
// of the port as soon as the one before is in.
func (h *shake) absorbFrom(ready cycle, m *memory, at, size int) (done cycle) {
	done = ready
	for size > 0 {
		n := min(size, m.port/8)
		_, there := m.load(max(ready, h.free-1), 8*n)
		done = h.absorb(there, m.data[at:at+n])
		at, size = at+n, size-n
	}
	return done
}

// squeeze fills b with the next bytes of the output.
func (h *shake) squeeze(ready cycle, b []byte) (done cycle) {
	if !h.out {
		h.done, h.out = 0, true
	}
	h.x.Squeeze(b)
	return h.took(ready, len(b))
}

// took books the words of n bytes, and the permutations that there were since last.
func (h *shake) took(ready cycle, n int) (done cycle) {
	words := (h.done+n+h.word-1)/h.word - (h.done+h.word-1)/h.word
	h.done += n
	permutations := h.x.Permutations() - h.all
	h.all += permutations
	busy := cycle(words) + cycle(permutations)*h.perm
	return h.run(ready, busy, permutations) + busy
}
