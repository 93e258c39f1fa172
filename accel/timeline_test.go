package accel

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/bus"
	"socsim/clock"
)

// timeline is when everything happened to one message.
type timeline struct {
	Grants   []clock.Cycle // of the words pushed
	Absorbed []clock.Cycle
	Last     clock.Cycle // granted
	Padded   clock.Cycle
	Runs     [][2]clock.Cycle // permutations: first and last cycle
	Moved    []clock.Cycle
	Popped   []clock.Cycle
	Valid    []clock.Cycle // answers of the words popped, as the core sees them
	Held     []held
}

// held is a time in which the unit withheld something: from its first to its
// last cycle.
type held struct {
	From, To clock.Cycle
	Cause    bus.Cause
}

// program is a message as a core would hash it: the cycles its accesses are
// requested in follow from the answers.
type program struct {
	xof    *XOF // nil: SHAKE
	mode   uint32
	words  int
	outlen uint32
	depth  int    // 0: the default
	hop    string // empty: none, as at the load/store unit
	store  func(i int, before bus.Response) clock.Cycle
	load   func(i int, before bus.Response) clock.Cycle
}

// run runs the program on a unit and notes its timeline.
func (p program) run(t *testing.T, c Config, lat timing) timeline {
	t.Helper()
	c.XOF, c.Coupling, c.InputDepth, c.OutputDepth = SHAKE, FIFO, p.depth, p.depth
	if p.xof != nil {
		c.XOF = p.xof
	}
	if p.hop == "" {
		c.Coupling = LSU
	}
	e, err := newEngine(c, nil, lat)
	if err != nil {
		t.Fatal(err)
	}
	var l timeline
	e.Observe(func(s Step) {
		switch s.Kind {
		case Pushed:
			l.Grants = append(l.Grants, s.At)
		case Absorbed:
			l.Absorbed = append(l.Absorbed, s.At)
		case Ended:
			l.Last = s.At
		case Padded:
			l.Padded = s.At
		case Permuted:
			l.Runs = append(l.Runs, [2]clock.Cycle{s.At, s.To - 1})
		case Moved:
			l.Moved = append(l.Moved, s.At)
		case Popped:
			l.Popped = append(l.Popped, s.At)
		}
	})
	e.mode, e.outlen = p.mode, p.outlen // set long before
	window := bus.Window{Name: "hash", Size: Size, Target: e}
	if p.hop != "" {
		h, err := bus.ParseHop(p.hop)
		if err != nil {
			t.Fatal(err)
		}
		window.Path = []*bus.Hop{h}
	}
	m, err := bus.NewMap([]bus.Window{window}, nil)
	if err != nil {
		t.Fatal(err)
	}
	core := m.Initiator("core")
	access := func(r bus.Request) bus.Response {
		r.Bytes = 4
		a := core.Access(r)
		if a.Fault != nil {
			t.Fatalf("%+v: %v", r, a.Fault)
		}
		if a.HeldTo > a.HeldFrom {
			l.Held = append(l.Held, held{a.HeldFrom, a.HeldTo - 1, a.Cause})
		}
		return a
	}
	a := access(bus.Request{Addr: 0x00, Write: true, Data: 1})
	for i := range p.words {
		a = access(bus.Request{Addr: 0x20, Write: true, Data: uint32(i), At: p.store(i, a)})
	}
	a = access(bus.Request{Addr: 0x0c, Write: true, At: a.Grant + 1}) // right behind the last word
	for i := range int(p.outlen+3) / 4 {
		a = access(bus.Request{Addr: 0x24, At: p.load(i, a)})
		l.Valid = append(l.Valid, a.Valid)
	}
	return l
}

// backToBack requests an access in the cycle after the previous grant.
func backToBack(_ int, before bus.Response) clock.Cycle { return before.Grant + 1 }

// movingOn requests a store every two cycles (load and store of a word) if it is
// not held up, and a load in the cycle after the previous answer.
func movingOn(_ int, before bus.Response) clock.Cycle { return before.Grant + 2 }

func afterAnswer(i int, before bus.Response) clock.Cycle {
	if i == 0 {
		return before.Grant + 1
	}
	return before.Valid + 1
}

// The programs of the package comment, and one that fills small FIFOs.
var programs = map[string]program{
	// One F call of SPHINCS+: 64 bytes in, 16 out, SHAKE256.
	"F, zero wait": {mode: 1, words: 16, outlen: 16, depth: 42, store: movingOn, load: afterAnswer},
	"F, apb":       {mode: 1, words: 16, outlen: 16, depth: 42, hop: "apb", store: backToBack, load: backToBack},
	// The same with FIFOs of 2 words, one block.
	"F over ascon, zero wait":    {xof: Ascon, mode: 1, words: 16, outlen: 16, store: movingOn, load: afterAnswer},
	"F over ascon128, zero wait": {xof: Ascon128, mode: 1, words: 16, outlen: 16, store: movingOn, load: afterAnswer},
	"F over ascon8, zero wait":   {xof: Ascon8, mode: 1, words: 16, outlen: 16, store: movingOn, load: afterAnswer},
	"F over ascon, apb":          {xof: Ascon, mode: 1, words: 16, outlen: 16, hop: "apb", store: backToBack, load: backToBack},
	// SHA3-512, a block of 18 words and 3 more in, a block and 2 words out.
	"two blocks each way, FIFOs of 2": {mode: 3, words: 21, outlen: 80, depth: 2, store: backToBack,
		load: func(i int, before bus.Response) clock.Cycle {
			if i == 0 {
				return before.Grant + 1
			}
			return before.Valid
		}},
}

// asconF is the call over ascon or ascon128 at zero wait: their rounds are the same.
var asconF = timeline{
	Grants:   []clock.Cycle{2, 4, 6, 8, 19, 21, 33, 35, 47, 49, 61, 63, 75, 77, 89, 91},
	Absorbed: []clock.Cycle{3, 5, 18, 19, 32, 33, 46, 47, 60, 61, 74, 75, 88, 89, 102, 103},
	Last:     92,
	Padded:   116,
	Runs: [][2]clock.Cycle{{6, 17}, {20, 31}, {34, 45}, {48, 59}, {62, 73}, {76, 87}, {90, 101}, {104, 115},
		{117, 128}, {133, 144}},
	Moved:  []clock.Cycle{129, 130, 145, 146},
	Popped: []clock.Cycle{130, 132, 146, 148},
	Valid:  []clock.Cycle{131, 133, 147, 149},
	Held: []held{{10, 18, bus.InputFull}, {23, 32, bus.InputFull}, {37, 46, bus.InputFull}, {51, 60, bus.InputFull},
		{65, 74, bus.InputFull}, {79, 88, bus.InputFull}, {94, 130, bus.Permuting}, {135, 146, bus.Permuting}},
}

// Worked out by hand from the rules of the package comment.
var timelines = map[string]timeline{
	"F, zero wait": {
		Grants:   []clock.Cycle{2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32},
		Absorbed: []clock.Cycle{3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33},
		Last:     33,
		Padded:   34,
		Runs:     [][2]clock.Cycle{{35, 58}},
		Moved:    []clock.Cycle{59, 60, 61, 62},
		Popped:   []clock.Cycle{60, 62, 64, 66},
		Valid:    []clock.Cycle{61, 63, 65, 67},
		Held:     []held{{35, 60, bus.Permuting}},
	},
	"F, apb": {
		Grants:   []clock.Cycle{4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64},
		Absorbed: []clock.Cycle{5, 9, 13, 17, 21, 25, 29, 33, 37, 41, 45, 49, 53, 57, 61, 65},
		Last:     68,
		Padded:   69,
		Runs:     [][2]clock.Cycle{{70, 93}},
		Moved:    []clock.Cycle{94, 95, 96, 97},
		Popped:   []clock.Cycle{95, 98, 101, 104},
		Valid:    []clock.Cycle{98, 101, 104, 107},
		Held:     []held{{73, 95, bus.Permuting}},
	},
	"F over ascon, zero wait":    asconF,
	"F over ascon128, zero wait": asconF,
	// Permutations 1 to 8 and 10 take 8 cycles, the one after the padding 12.
	"F over ascon8, zero wait": {
		Grants:   []clock.Cycle{2, 4, 6, 8, 15, 17, 25, 27, 35, 37, 45, 47, 55, 57, 65, 67},
		Absorbed: []clock.Cycle{3, 5, 14, 15, 24, 25, 34, 35, 44, 45, 54, 55, 64, 65, 74, 75},
		Last:     68,
		Padded:   84,
		Runs: [][2]clock.Cycle{{6, 13}, {16, 23}, {26, 33}, {36, 43}, {46, 53}, {56, 63}, {66, 73}, {76, 83},
			{85, 96}, {101, 108}},
		Moved:  []clock.Cycle{97, 98, 109, 110},
		Popped: []clock.Cycle{98, 100, 110, 112},
		Valid:  []clock.Cycle{99, 101, 111, 113},
		Held: []held{{10, 14, bus.InputFull}, {19, 24, bus.InputFull}, {29, 34, bus.InputFull}, {39, 44, bus.InputFull},
			{49, 54, bus.InputFull}, {59, 64, bus.InputFull}, {70, 98, bus.Permuting}, {103, 110, bus.Permuting}},
	},
	"F over ascon, apb": {
		Grants:   []clock.Cycle{4, 8, 12, 16, 23, 27, 37, 41, 51, 55, 65, 69, 79, 83, 93, 97},
		Absorbed: []clock.Cycle{5, 9, 22, 23, 36, 37, 50, 51, 64, 65, 78, 79, 92, 93, 106, 107},
		Last:     101,
		Padded:   120,
		Runs: [][2]clock.Cycle{{10, 21}, {24, 35}, {38, 49}, {52, 63}, {66, 77}, {80, 91}, {94, 105}, {108, 119},
			{121, 132}, {138, 149}},
		Moved:  []clock.Cycle{133, 134, 150, 151},
		Popped: []clock.Cycle{134, 137, 151, 154},
		Valid:  []clock.Cycle{137, 140, 154, 157},
		Held: []held{{20, 22, bus.InputFull}, {31, 36, bus.InputFull}, {45, 50, bus.InputFull}, {59, 64, bus.InputFull},
			{73, 78, bus.InputFull}, {87, 92, bus.InputFull}, {106, 134, bus.Permuting}, {141, 151, bus.Permuting}},
	},
	// INIT in 0. Words 0-17 are granted in 1-18 and absorbed a cycle later; the
	// block is full in 19, so the permutation runs in 20-43. Words 18 and 19 fill
	// the FIFO in 19 and 20; word 20, requested in 21, waits for the absorb of
	// word 18 in 44. LAST follows in 46, when word 20 is absorbed. Output: words
	// 0 and 1 move in 72 and 73, then each pop makes room for the next word. The
	// load of word 18, requested when word 17 is answered in 91, finds the next
	// permutation running since 91, after the pop of word 17 in 90.
	"two blocks each way, FIFOs of 2": {
		Grants:   []clock.Cycle{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 45},
		Absorbed: []clock.Cycle{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 44, 45, 46},
		Last:     46,
		Padded:   47,
		Runs:     [][2]clock.Cycle{{20, 43}, {48, 71}, {91, 114}},
		Moved:    []clock.Cycle{72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 115, 116},
		Popped:   []clock.Cycle{73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 116, 117},
		Valid:    []clock.Cycle{74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 117, 118},
		Held:     []held{{21, 44, bus.InputFull}, {48, 73, bus.Permuting}, {92, 116, bus.Permuting}},
	},
}

func TestTimeline(t *testing.T) {
	for name, p := range programs {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(timelines[name], p.run(t, Config{}, defaultTiming)); d != "" {
				t.Errorf("(-by hand +model):\n%s", d)
			}
		})
	}
}

// change is a unit with one constant off by a cycle.
type change struct {
	name   string
	config Config
	timing timing
}

// changes returns every constant of the device, one cycle up or down.
func changes() []change {
	list := []change{
		{"cycles per round", Config{CyclesPerRound: Ratio{25, 24}}, defaultTiming},
		{"cycles per round, less", Config{CyclesPerRound: Ratio{23, 24}}, defaultTiming},
		{"start-up", Config{Startup: 1}, defaultTiming},
	}
	// All fields of timing, by reflection: one that is added later cannot be
	// forgotten here.
	var walk func(name string, at []int, kind reflect.Type)
	walk = func(name string, at []int, kind reflect.Type) {
		for i := range kind.NumField() {
			f := kind.Field(i)
			if path := append(at[:len(at):len(at)], i); f.Type.Kind() == reflect.Struct {
				walk(name+f.Name+".", path, f.Type)
			} else {
				lat := defaultTiming
				*(*clock.Cycle)(reflect.ValueOf(&lat).Elem().FieldByIndex(path).Addr().UnsafePointer()) += 1
				list = append(list, change{name + f.Name, Config{}, lat})
			}
		}
	}
	walk("", nil, reflect.TypeFor[timing]())
	return list
}

// Every constant of the device shows in the timelines, and all but two already in an F
// call over shake.
func TestTimelineHoldsEveryConstant(t *testing.T) {
	// In an F call over shake no FIFO fills and there is no second output block.
	notInF := map[string]bool{"fifo.Room": true, "resume": true}
	found := 0
	for _, c := range changes() {
		var differs []string
		inF := false
		for name, p := range programs {
			if !cmp.Equal(timelines[name], p.run(t, c.config, c.timing)) {
				differs = append(differs, name)
				inF = inF || p.outlen == 16 && p.xof == nil
			}
		}
		if len(differs) == 0 {
			t.Errorf("%s changed by one: no timeline differs", c.name)
		}
		if inF == notInF[c.name] {
			t.Errorf("%s changed by one: differs in %q", c.name, differs)
		}
		if notInF[c.name] {
			found++
		}
	}
	if found != len(notInF) {
		t.Errorf("exceptions that name no constant: %v", notInF)
	}
}
