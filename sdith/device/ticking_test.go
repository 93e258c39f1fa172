package device

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/accel"
	"socsim/bus"
	"socsim/clock"
	"socsim/sdith/pipeline"
)

// ticking is the device cycle by cycle, after the package comment and nothing else. What
// it signs is not its business, but how many cycles each phase has.
type ticking struct {
	phases [pipeline.NumPhases]uint64 // of a signature

	now          clock.Cycle
	left         [pipeline.NumPhases]uint64 // cycles still to come of the signature under way
	busy         bool
	started      bool
	code         Code
	count        [pipeline.NumPhases]uint64
	enable, irq  bool
	level        bool
	line         []string
	entropy, key bool
	length       uint32
	done         uint64
}

// tick is the work of a cycle, at the end of which a store acts.
func (m *ticking) tick(store *bus.Request) {
	ended := false
	if m.busy {
		for p := range m.left {
			if m.left[p] > 0 {
				m.left[p]--
				m.count[p]++
				break
			}
		}
		m.busy = m.left != [pipeline.NumPhases]uint64{}
		if ended = !m.busy; ended {
			m.done++
		}
	}
	if store != nil {
		switch store.Addr {
		case offControl:
			if store.Data&controlReset != 0 {
				m.busy, m.started, m.code, m.count, m.irq, m.key, m.entropy, m.length = false, false, 0, [10]uint64{}, false, false, false, 0
				ended = false
			} else if store.Data&controlStart != 0 {
				m.started, m.code, m.count = true, NoError, [10]uint64{}
				switch {
				case !m.key:
					m.code = NoKey
				case !m.entropy:
					m.code = NoEntropy
				case m.length > pipeline.MaxMessage:
					m.code = LongMessage
				default:
					m.busy, m.left = true, m.phases
				}
				m.entropy = false
				ended = m.code != NoError
			}
		case offIRQ:
			m.irq = m.irq && store.Data&1 == 0
		case offIRQEnable:
			m.enable = store.Data&1 == 1
		case offLength:
			m.length = store.Data
		}
	}
	m.irq = m.irq || ended
	m.now++
	if level := m.enable && m.irq; level != m.level {
		m.level = level
		m.line = append(m.line, fmt.Sprintf("%v from %d", level, m.now))
	}
}

func (m *ticking) load(offset uint32) uint32 {
	var sum uint64
	for _, n := range m.count {
		sum += n
	}
	switch offset {
	case offStatus:
		switch {
		case !m.started:
			return statusIdle
		case m.busy:
			return statusBusy
		case m.code != NoError:
			return statusError | uint32(m.code)<<statusCode
		}
		return statusDone
	case offIRQ:
		return bit(m.irq)
	case offIRQEnable:
		return bit(m.enable)
	case offLength:
		return m.length
	case offTotal:
		return uint32(sum)
	}
	return uint32(m.count[(offset-offPhases)/8])
}

// Whatever a program does and when, and whether or not somebody advances the queue in
// between, the device is what it is cycle by cycle.
func TestLazyIsTicking(t *testing.T) {
	programs := uint64(60)
	if testing.Short() {
		programs = 15
	}
	c := smallConfig()
	c.ClockRatio = accel.Ratio{Num: 1, Den: 40} // some hundred cycles
	m := materialOf(t, c, 0)
	signatures := uint64(0)
	for seed := range programs {
		r := rand.New(rand.NewPCG(seed, 1))
		h := newHost(t, c, "")
		model := &ticking{}
		var booked int64
		before := clock.Cycle(0)
		for p, x := range m.result.Phases {
			booked += x.Cycles
			end := c.cycles(booked)
			model.phases[p] = uint64(end - before)
			before = end
		}
		// access makes one in cycle h.at, up to which the model is brought.
		access := func(q bus.Request) {
			for model.now < h.at {
				model.tick(nil)
				if r.IntN(7) == 0 {
					h.queue.Advance(model.now - 1)
				}
			}
			if !q.Write {
				want := model.load(q.Addr)
				if got := h.load(q.Addr); got != want {
					t.Fatalf("seed %d, cycle %d: 0x%02x reads 0x%x, want 0x%x", seed, model.now, q.Addr, got, want)
				}
				model.tick(nil)
				return
			}
			h.store(q.Addr, q.Data)
			model.tick(&q)
		}
		fill := func(offset uint32, b []byte, loaded *bool) {
			for model.now < h.at {
				model.tick(nil)
			}
			h.put(offset, b)
			for model.now < h.at {
				model.tick(nil)
			}
			*loaded = true
		}
		for range 150 {
			h.at += clock.Cycle([]int{0, 0, 1, 3, 20, 150}[r.IntN(6)])
			for model.now < h.at {
				model.tick(nil)
			}
			switch n := r.IntN(14); {
			case n == 0 && !model.busy:
				access(store(offControl, controlStart))
			case n == 1 && r.IntN(4) == 0:
				access(store(offControl, controlReset))
			case n == 2 && !model.busy:
				fill(offKeyWindow, m.key, &model.key)
				fill(offEntropyWindow, m.entropy, &model.entropy)
				access(store(offControl, controlStart))
			case n == 3 && !model.busy:
				access(store(offLength, []uint32{0, 0, 4097}[r.IntN(3)]))
			case n == 4:
				access(store(offIRQ, r.Uint32()))
			case n == 5:
				access(store(offIRQEnable, uint32(r.IntN(4))))
			case n == 6 && model.busy: // around the end
				left := clock.Cycle(0)
				for _, x := range model.left {
					left += clock.Cycle(x)
				}
				h.at += left - min(left, clock.Cycle(r.IntN(3)))
				access([]bus.Request{store(offIRQ, 1), load(offStatus), load(offIRQ), store(offIRQEnable, 1), store(offControl, controlReset)}[r.IntN(5)])
			case n < 10:
				access(load([]uint32{offStatus, offIRQ, offIRQEnable, offLength}[r.IntN(4)]))
			case n == 10:
				access(load(offTotal))
			default:
				access(load(offPhases + 8*uint32(r.IntN(pipeline.NumPhases))))
			}
		}
		h.at += 1000
		access(load(offStatus))
		if d := cmp.Diff(model.line, h.line); d != "" {
			t.Fatalf("seed %d: line (-model +device):\n%s", seed, d)
		}
		if s := h.d.Statistics(h.at); s.Signatures != model.done {
			t.Errorf("seed %d: %d signatures, want %d", seed, s.Signatures, model.done)
		}
		signatures += model.done
	}
	if signatures < programs {
		t.Errorf("only %d signatures in %d programs", signatures, programs)
	}
}
