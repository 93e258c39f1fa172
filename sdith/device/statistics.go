package device

import (
	"socsim/clock"
	"socsim/sdith/pipeline"
)

// Statistics is what the coprocessor did since power-on.
type Statistics struct {
	WordsIn    uint64        `json:"words_in"` // to KEY, MESSAGE and ENTROPY
	WordsOut   uint64        `json:"words_out"`
	Signatures uint64        `json:"signatures"` // made
	Refused    uint64        `json:"refused"`
	Abandoned  uint64        `json:"abandoned"` // by RESET
	Attempts   uint64        `json:"attempts"`  // of the proofs of work of those made
	BusyCycles clock.Cycle   `json:"busy_cycles"`
	IdleCycles clock.Cycle   `json:"idle_cycles"`
	Phases     []PhaseCycles `json:"phases"` // they add up to BusyCycles
}

// PhaseCycles are the busy cycles of a phase.
type PhaseCycles struct {
	Phase  string      `json:"phase"`
	Cycles clock.Cycle `json:"cycles"`
}

func newPhases() (list []PhaseCycles) {
	for p := range pipeline.Phase(pipeline.NumPhases) {
		list = append(list, PhaseCycles{Phase: p.String()})
	}
	return list
}

// add adds what a job did before cycle at.
func (s *Statistics) add(j *job, at clock.Cycle) {
	switch {
	case !j.started || at < j.end:
	case j.code != NoError:
		s.Refused++
	default:
		s.Signatures++
		s.Attempts += j.attempts
	}
	s.BusyCycles += j.elapsed(at)
	for p := range s.Phases {
		s.Phases[p].Cycles += j.phase(p, at)
	}
}

// Statistics returns what the coprocessor did in the cycles before at, which must not
// lie before the latest answer.
func (d *Device) Statistics(at clock.Cycle) Statistics {
	s := d.stats
	s.Phases = append([]PhaseCycles(nil), s.Phases...)
	s.add(&d.job, at)
	s.IdleCycles = at - s.BusyCycles
	return s
}
