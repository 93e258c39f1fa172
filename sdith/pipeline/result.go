package pipeline

// Result is a signature, and what it took to make it.
type Result struct {
	Config    string                 `json:"config"`
	Signature []byte                 `json:"-"`
	Attempts  uint64                 `json:"attempts"` // of the proof of work
	Cycles    int64                  `json:"cycles"`   // from the start to the last word of the signature
	Phases    [NumPhases]PhaseResult `json:"phases"`
}

// PhaseResult is what was done in a phase.
type PhaseResult struct {
	Phase Phase `json:"phase"`

	// From the first cycle to the one after the last, in cycles since the start; both 0 for
	// a phase that does not occur. Phases overlap.
	Start int64 `json:"start"`
	End   int64 `json:"end"`

	// Cycles are those that no earlier phase has: from the end of what came before to the
	// end of the phase. Those of all phases add up to Result.Cycles.
	Cycles int64 `json:"cycles"`

	Units    []UnitUse `json:"units"`
	Memories []Traffic `json:"memories"`

	Blocks       []BlockUse `json:"cipher_blocks"`
	KeySchedules uint64     `json:"key_schedules"`
	Sums         uint64     `json:"field_sums"`
	Shifts       uint64     `json:"field_shifts"` // products with powers of z
	Ands         uint64     `json:"field_ands"`   // products with bits
}

// UnitUse is the use of a unit in a phase: how many operations, and in how many cycles
// it was busy with them. An operation is a block, a permutation, a product, a word
// summed, a word of M, an attempt.
type UnitUse struct {
	Name       string `json:"name"`
	Operations uint64 `json:"operations"`
	Busy       int64  `json:"busy"`
}

// Traffic is the use of a memory in a phase.
type Traffic struct {
	Name    string `json:"name"`
	Read    uint64 `json:"bits_read"`
	Written uint64 `json:"bits_written"`
	Reading int64  `json:"read_port_busy"`  // cycles
	Writing int64  `json:"write_port_busy"` // cycles
}

// BlockUse is what blocks of the cipher were for, in a phase.
type BlockUse struct {
	For    string `json:"for"`
	Blocks uint64 `json:"blocks"`
}

// result takes the signature and the counts out of the machine.
func (m *machine[E]) result(attempts uint64) *Result {
	r := &Result{Config: m.c.Name(), Attempts: attempts, Signature: append([]byte(nil), m.signature.data...)}
	for i := range r.Phases {
		p := &r.Phases[i]
		span := m.s.spans[i]
		p.Phase, p.Start, p.End = Phase(i), span.start, span.end
		p.Cycles = max(0, span.end-r.Cycles)
		r.Cycles = max(r.Cycles, span.end)

		for _, u := range m.units() {
			if n := u.use[i]; n.operations > 0 {
				p.Units = append(p.Units, UnitUse{u.name(), n.operations, n.busy})
			}
		}
		for _, mem := range m.memories() {
			if n := mem.traffic[i]; n.read > 0 || n.written > 0 {
				p.Memories = append(p.Memories, Traffic{mem.name, n.read, n.written, mem.reads.use[i].busy, mem.writes.use[i].busy})
			}
		}
		for why, n := range m.ciphers.blocks[i] {
			if n > 0 {
				p.Blocks = append(p.Blocks, BlockUse{purposeNames[why], n})
			}
		}
		p.KeySchedules = m.ciphers.keySchedules[i]
		p.Sums, p.Shifts, p.Ands = m.product.sums[i], m.product.shifts[i], m.product.ands[i]
	}
	return r
}
