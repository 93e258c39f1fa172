package cli

import (
	"errors"
	"fmt"
	"slices"

	"socsim/accel"
	"socsim/bus"
	"socsim/clock"
	"socsim/soc"
)

// recorder keeps what happens around the accelerator during a run of a program
// that calls one function for each hash.
type recorder struct {
	hash  uint32 // address of that function
	first bool   // the first call is wanted; else the last

	requests     []bus.Request
	responses    []bus.Response
	steps        []accel.Step
	instructions []soc.Instruction // of the driver, in that call
	calls        int
}

// mostRows is how many accesses or instructions a timeline can have: more is polling
// for a permutation that takes very long, and nobody reads it.
const mostRows = 100_000

// tooLong tells whether something had to be left out.
func (t *recorder) tooLong() bool {
	return len(t.requests) == mostRows || len(t.instructions) == mostRows
}

func (t *recorder) access(r bus.Request, a bus.Response) {
	if len(t.requests) == mostRows {
		return
	}
	t.requests, t.responses = append(t.requests, r), append(t.responses, a)
}

func (t *recorder) step(s accel.Step) { t.steps = append(t.steps, s) }

// instruction keeps what a driver does, which is what is in a section of the
// ledger.
func (t *recorder) instruction(i soc.Instruction) {
	if i.PC == t.hash {
		if t.calls++; !t.first {
			t.instructions = t.instructions[:0]
		}
	}
	if (t.calls == 1 || !t.first && t.calls > 0) && i.Row != rowCompute && len(t.instructions) < mostRows {
		t.instructions = append(t.instructions, i)
	}
}

// rowCompute is the row of the ledger for what is no driver's.
const rowCompute = "compute"

// of returns the steps of a kind in order of time.
func (t *recorder) of(kind accel.StepKind) []accel.Step { return t.from(kind, 0) }

func (t *recorder) from(kind accel.StepKind, from clock.Cycle) []accel.Step {
	var list []accel.Step
	for _, s := range t.steps {
		if s.Kind == kind && s.At >= from {
			list = append(list, s)
		}
	}
	return list
}

// timeline returns the last message the accelerator saw, or with first what
// happened from reset on; of an accelerator in the core, which sees no messages,
// the call of the function.
func (t *recorder) timeline(r *soc.Result) (*timeline, error) {
	unit, err := accel.Parse(r.Config.Accel)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(r.Devices, func(d soc.Device) bool { return d.Accel != nil })
	if at < 0 {
		return nil, errors.New("there is no accelerator")
	}
	device := &r.Devices[at]
	tl := &timeline{
		Accel: r.Config.Accel, Parameters: r.Config.AccelParameters, Platform: r.Config.Platform, Set: r.Config.Set, Bus: device.Bus,
		Accesses: []timelineAccess{}, Instructions: []timelineInstruction{}, Beats: []timelineBeat{}, Permutations: []timelinePermutation{},
		Verified: r.Verified,
	}
	var from clock.Cycle // the first cycle that is shown
	started := t.of(accel.Started)
	switch {
	case unit.InCore() && len(t.instructions) > 0:
		from = t.instructions[0].At
		tl.zero, tl.origin = from, "the first instruction of the driver in EX"
	case len(started) > 0:
		tl.zero, tl.origin = started[len(started)-1].At, "the grant of INIT"
		if from = tl.zero; t.first {
			from = 0
		}
	default:
		return nil, errors.New("the program started no message")
	}
	in := numbering{tl: tl, steps: t.from(accel.Absorbed, from)}
	out := numbering{tl: tl, steps: t.from(accel.Moved, from)}

	// Accesses and instructions in order of time: words are numbered through.
	for i, j := 0, 0; i < len(t.requests) || j < len(t.instructions); {
		if j == len(t.instructions) || i < len(t.requests) && t.requests[i].At <= t.instructions[j].At {
			q, a := t.requests[i], t.responses[i]
			i++
			if a.Grant >= from && a.Fault == nil {
				tl.access(r, unit, q, a, &in, &out)
			}
			continue
		}
		if x := t.instructions[j]; x.At >= from {
			tl.instruction(unit, x, &in, &out)
		}
		j++
	}
	for _, s := range t.steps {
		if s.At < from {
			continue
		}
		b := timelineBeat{Write: s.Kind == accel.Stored, At: tl.rel(s.At)}
		switch s.Kind {
		case accel.Fetched:
			b.Word, b.Unit = in.next()
		case accel.Stored:
			b.Word, b.Unit = out.next()
		default:
			continue
		}
		tl.Beats = append(tl.Beats, b)
	}
	padded := t.from(accel.Padded, from)
	for _, s := range t.from(accel.Permuted, from) {
		p := timelinePermutation{From: tl.rel(s.At), To: tl.rel(s.To)}
		for _, pad := range padded {
			if c := tl.rel(pad.At); pad.At+1 == s.At {
				p.Padding = &c
			}
		}
		tl.Permutations = append(tl.Permutations, p)
	}
	tl.measure()
	return tl, nil
}

// numbering numbers words of one direction: they pass between FIFO and state in
// the order in which they are stored or loaded.
type numbering struct {
	tl    *timeline
	steps []accel.Step
	n     int
}

// next returns the number of the next word and, if there is a step for it, its
// cycle.
func (w *numbering) next() (word int, unit *int64) {
	word = w.n
	w.n++
	if word < len(w.steps) {
		c := w.tl.rel(w.steps[word].At)
		unit = &c
	}
	return word, unit
}

// access adds an access of the core, if it is one to the accelerator.
func (tl *timeline) access(r *soc.Result, unit accel.Config, q bus.Request, a bus.Response, in, out *numbering) {
	name := ""
	for _, d := range r.Devices {
		switch offset := q.Addr - d.Base; {
		case offset >= d.Size:
		case d.Accel != nil:
			name = registerName(unit.Registers(), offset)
		case d.Kind == "dma":
			name = "DMA " + registerName(accel.DMARegisters, offset)
		}
	}
	if name == "" {
		return
	}
	x := timelineAccess{
		Register: name, Write: q.Write, Data: fmt.Sprintf("0x%08x", a.Data),
		Request: tl.rel(q.At), Grant: tl.rel(a.Grant), Valid: tl.rel(a.Valid), Cause: causes[a.Cause],
	}
	if q.Write {
		x.Data = fmt.Sprintf("0x%08x", q.Data)
	}
	if a.Cause != bus.NotHeld {
		x.Withheld = int64(a.HeldTo - a.HeldFrom)
	}
	var n int
	switch a.Role {
	case bus.RoleIn:
		n, x.Unit = in.next()
		x.Word = &n
	case bus.RoleOut:
		n, x.Unit = out.next()
		x.Word = &n
	}
	tl.Accesses = append(tl.Accesses, x)
}

// The accelerators' own instructions: their opcode, custom-0, and those that move
// a word (funct3).
const (
	opcodeMask   = 0x7f
	opcodeCustom = 0x0b
	functShift   = 12
	functMask    = 7
	functKeccak  = 1
	functLoad    = 2
	functAscon   = 3
	functStore   = 6
)

// instruction adds an instruction if it reaches a unit without a window: one of
// the unit's own, or any of the driver's where the state is in registers.
func (tl *timeline) instruction(unit accel.Config, i soc.Instruction, in, out *numbering) {
	own := i.Word&opcodeMask == opcodeCustom
	if !own && !unit.InCore() {
		return
	}
	x := timelineInstruction{Text: i.Text(), Row: i.Row, First: tl.rel(i.At), Last: tl.rel(i.Last)}
	if own {
		var n int
		switch i.Word >> functShift & functMask {
		case functLoad:
			n, x.Unit = in.next()
			x.Word, x.Withheld = &n, x.Last-x.First
		case functStore:
			n, x.Unit = out.next()
			x.Word, x.Withheld = &n, x.Last-x.First
		case functKeccak, functAscon:
			x.Withheld = x.Last + 1 - x.First
		}
	}
	tl.Instructions = append(tl.Instructions, x)
}

// registerName returns the name of the register of a table at an offset, its aliases
// included; a word of several with its number.
func registerName(table []accel.Register, offset uint32) string {
	for _, r := range table {
		if n := offset - r.Offset; r.Words > 0 && n < r.Words*wordBytes {
			return fmt.Sprintf("%s+%d", r.Name, n/wordBytes)
		}
		if offset == r.Offset || r.AliasWords > 0 && offset-r.Alias < r.AliasWords*wordBytes {
			return r.Name
		}
	}
	return fmt.Sprintf("+0x%02x", offset)
}
