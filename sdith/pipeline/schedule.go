package pipeline

import "fmt"

// Phase is a phase of signing (SPEC, section 12.2).
type Phase int

const (
	PhaseK Phase = iota
	PhaseG
	PhaseW1
	PhaseW2
	PhaseB
	PhaseW3
	PhaseX
	PhaseH
	PhaseP
	PhaseO

	NumPhases = 10
)

var phaseNames = [NumPhases]string{"K", "G", "W1", "W2", "B", "W3", "X", "H", "P", "O"}

func (p Phase) String() string {
	if p < 0 || p >= NumPhases {
		return fmt.Sprintf("Phase(%d)", int(p))
	}
	return phaseNames[p]
}

// MarshalText writes the name of the phase.
func (p Phase) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText is the reverse of MarshalText.
func (p *Phase) UnmarshalText(text []byte) error {
	for i, name := range phaseNames {
		if name == string(text) {
			*p = Phase(i)
			return nil
		}
	}
	return fmt.Errorf("no phase %q", text)
}

// cycle counts from the start of a signature on.
type cycle = int64

// schedule is which phase the sequencer is in, and when each phase had something done.
//
// The sequencer goes on to a phase when it has started all of the one before: what is
// still being done then is done beside it.
type schedule struct {
	phase  Phase
	floor  cycle // the first of the phase
	latest cycle // when something was last started
	spans  [NumPhases]span
	trace  Tracer // nil for none
	names  []string
}

// span is from the first cycle of a phase to the one after its last.
type span struct {
	start, end cycle
	used       bool
}

// Tracer is told when a unit or a port is in use. Those of one signal come in order
// and do not overlap; those of different signals come in no order.
type Tracer interface {
	// Enter says that the sequencer goes on to a phase; nothing that is told later is
	// before from.
	Enter(p Phase, from int64)

	// Busy says that a signal, by its number in [Machine.Signals], is in use.
	Busy(signal int, from, to int64)
}

func (s *schedule) reset() {
	s.phase, s.floor, s.latest, s.spans = 0, 0, 0, [NumPhases]span{}
}

func (s *schedule) enter(p Phase) {
	s.phase, s.floor = p, s.latest
	if s.trace != nil {
		s.trace.Enter(p, s.floor)
	}
}

// book notes that something is done in the cycles from from to to.
func (s *schedule) book(from, to cycle) {
	s.latest = max(s.latest, from)
	p := &s.spans[s.phase]
	if !p.used || from < p.start {
		p.start = from
	}
	p.end = max(p.end, to)
	p.used = true
}

// unit is something that does one thing at a time, in the order in which it is told.
type unit struct {
	s    *schedule
	id   int
	free cycle // when it can start the next operation
	took cycle // when it has taken the operands of the last one
	use  [NumPhases]use
}

// use is what a unit did in a phase.
type use struct {
	operations uint64
	busy       cycle
}

func (s *schedule) newUnit(name string) unit {
	s.names = append(s.names, name)
	return unit{s: s, id: len(s.names) - 1}
}

func (u *unit) name() string { return u.s.names[u.id] }

func (u *unit) reset() { u.free, u.took, u.use = 0, 0, [NumPhases]use{} }

// run does operations that take busy cycles in all, not before ready and not before the
// phase. It returns the first of these cycles.
func (u *unit) run(ready, busy cycle, operations uint64) (start cycle) {
	start = max(ready, u.free, u.s.floor)
	u.free, u.took = start+busy, start+1
	n := &u.use[u.s.phase]
	n.operations += operations
	n.busy += busy
	u.s.book(start, u.free)
	if u.s.trace != nil && busy > 0 {
		u.s.trace.Busy(u.id, start, u.free)
	}
	return start
}

// wait makes the unit start nothing before until.
func (u *unit) wait(until cycle) { u.free = max(u.free, until) }
