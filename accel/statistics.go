package accel

import (
	"socsim/bus"
	"socsim/clock"
)

// Statistics is what an accelerator did since reset.
type Statistics struct {
	WordsIn       uint64      `json:"words_in"`
	WordsOut      uint64      `json:"words_out"`
	Messages      uint64      `json:"messages"`     // LAST written, over ram INIT
	Permutations  uint64      `json:"permutations"` // started, those abandoned by INIT included
	Abandoned     uint64      `json:"abandoned"`    // permutations that an INIT cut short
	BusyCycles    clock.Cycle `json:"busy_cycles"`  // a permutation runs
	IdleCycles    clock.Cycle `json:"idle_cycles"`  // none does: elapsed less busy
	Rounds        uint64      `json:"rounds"`       // of all permutations, as far as they were to go
	FIFOPushes    uint64      `json:"fifo_pushes"`  // words put into either FIFO
	FIFOPops      uint64      `json:"fifo_pops"`    // words taken out of either FIFO
	PaddingCycles clock.Cycle `json:"padding_cycles"`
	// OverlapCycles are those in which a permutation runs and a word is pushed
	// or popped.
	OverlapCycles clock.Cycle `json:"overlap_cycles"`

	// Of a DMA engine: transfers started, words it read from RAM and wrote there, and the
	// cycles in which the core's accesses to RAM waited for it.
	Transfers uint64      `json:"transfers,omitempty"`
	DMALoads  uint64      `json:"dma_loads,omitempty"`
	DMAStores uint64      `json:"dma_stores,omitempty"`
	RAMWaits  clock.Cycle `json:"ram_waits,omitempty"`

	// The high-water marks are the least FIFO depths that would have given the
	// same cycles.
	InputHighWater  int `json:"input_high_water"`
	OutputHighWater int `json:"output_high_water"`

	Withheld [bus.Causes]clock.Cycle `json:"-"` // cycles of grant or answer withheld, by cause
}

// Step is something the unit did, for those who want to see a timeline. Steps
// of one kind come in order of time; steps of different kinds need sorting, as
// the unit works lazily.
type Step struct {
	Kind StepKind
	At   clock.Cycle
	To   clock.Cycle // Permuted: the first cycle after it. Popped: the cycle of the answer
}

// StepKind is what was done.
type StepKind uint8

const (
	Started  StepKind = iota // INIT was granted
	Pushed                   // a word was granted entry to the input FIFO
	Absorbed                 // a word went from the input FIFO into the state; over ram, it was stored there
	Ended                    // LAST was granted
	Padded                   // the padding cycle
	Permuted                 // a permutation ran
	Moved                    // a word went from the state to the output FIFO; over ram, it was loaded
	Popped                   // a word left the output FIFO
	Fetched                  // the DMA engine read a message word, or the tail, from RAM
	Stored                   // it wrote an output word to RAM
	stepKinds
)

// String returns the kind in a word.
func (k StepKind) String() string {
	return [stepKinds]string{"started", "pushed", "absorbed", "ended", "padded", "permuted", "moved", "popped", "fetched", "stored"}[k]
}
