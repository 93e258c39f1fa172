package pipeline

import (
	"encoding/binary"
	"fmt"
	"math"
)

// work is phase P: the first counter that is accepted (SPEC, section 10.1). It returns
// how many were tried.
func (m *machine[E]) work() (attempts uint64, err error) {
	ready := m.hash.there
	for i := range uint64(math.MaxUint32) + 1 {
		var counter [4]byte
		binary.LittleEndian.PutUint32(counter[:], uint32(i))
		m.shake.begin()
		m.shake.absorb(ready, m.hash.data)
		m.shake.absorb(ready, counter[:])
		done := m.shake.squeeze(ready, m.digest.data)
		accepted, busy := m.accept()
		ready = m.choice.run(done, busy, 1) + busy
		if accepted {
			m.digest.there = ready
			m.put(ready, sigCounter, 0, counter[:])
			return i + 1, nil
		}
	}
	return 0, fmt.Errorf("no counter makes a proof of work")
}

// accept reports whether the digest is one to open (SPEC, section 10.1), and how long
// that takes to see: a cycle for its bits, one for each hidden leaf to be sorted in, and
// one for each step of the queue.
func (m *machine[E]) accept() (ok bool, busy cycle) {
	p := m.p
	n := p.Kappa * p.Tau
	if getBits(m.digest.data, n, p.PoWBits) != 0 {
		return false, 1
	}
	zero := true
	for e := range p.Tau {
		zero = zero && m.position(e) == 0
	}
	if zero {
		return false, 1
	}
	m.sortHidden()
	revealed := 0
	steps := m.climb(func(int, int) { revealed++ })
	return revealed <= p.Open, 1 + cycle(p.Tau+steps)
}

// position is istar_e (SPEC, section 10.1).
func (m *machine[E]) position(e int) int {
	return int(getBits(m.digest.data, e*m.p.Kappa, m.p.Kappa))
}

// sortHidden puts the hidden leaves (SPEC, section 10.2) into their registers, each to
// its place in one cycle: the largest first.
func (m *machine[E]) sortHidden() {
	for e := range m.p.Tau {
		node := m.p.LeafNode(e, m.position(e))
		at := e
		for ; at > 0 && m.nodeIn(m.hidden, at-1) < node; at-- {
			m.putNode(m.hidden, at, m.nodeIn(m.hidden, at-1))
		}
		m.putNode(m.hidden, at, node)
	}
}

// climb goes from the hidden leaves up to the root, and calls reveal with every node
// whose seed is revealed, by decreasing number (SPEC, section 10.2, streaming form), and
// the step it comes to it in. It returns the number of steps.
func (m *machine[E]) climb(reveal func(node, step int)) (steps int) {
	// The queue is a ring. Each step takes one node or two and gives one.
	p, head, n := m.p, 0, m.p.Tau
	for i := range n {
		m.putNode(m.queue, i, m.nodeIn(m.hidden, i))
	}
	for {
		node := m.nodeIn(m.queue, head)
		if node == 1 {
			return steps
		}
		steps++
		head, n = (head+1)%p.Tau, n-1
		if n > 0 && m.nodeIn(m.queue, head) == node^1 {
			head, n = (head+1)%p.Tau, n-1
		} else {
			reveal(node^1, steps)
		}
		m.putNode(m.queue, (head+n)%p.Tau, node>>1)
		n++
	}
}

func (m *machine[E]) nodeIn(regs *memory, i int) int {
	return int(getBits(regs.data, i*regs.width, regs.width))
}

func (m *machine[E]) putNode(regs *memory, i, node int) {
	putBits(regs.data, i*regs.width, uint32(node), regs.width)
}

// open is phase O (SPEC, section 10.2): each revealed seed and each hidden leaf is
// walked to anew.
func (m *machine[E]) open() {
	p, size, at := m.p, m.p.SeedSize(), 0
	start := m.digest.there
	steps := m.climb(func(node, step int) {
		ready := m.walkAfter(node, start+cycle(step))
		m.put(ready, sigPath, at, m.way.seed.data)
		at += size
	})
	m.choice.run(start, cycle(steps), 1)
	var zeros [32]byte
	for ; at < p.Open*size; at += size {
		m.put(start, sigPath, at, zeros[:size])
	}
	for i := range p.Tau {
		node := m.nodeIn(m.hidden, p.Tau-1-i) // hcom_hidden increases
		ready := m.walkAfter(node, start)
		m.ciphers.setSeed(m.way.seed.data)
		com, done := m.ciphers.pair(ready, 2*node, forCommit)
		m.put(done, sigHiddenCom, i*p.HashSize(), com)
	}
	m.put(start, sigSalt, 0, m.salt.data)
}

// walkAfter walks to a node that may be above the cache.
func (m *machine[E]) walkAfter(node int, start cycle) cycle {
	if node < 1<<m.c.CacheDepth {
		return m.walkFromRoot(node, start)
	}
	return m.walkTo(node, start, forPath, keepNothing)
}
