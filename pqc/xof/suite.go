package xof

// Suite is the functions of a family as a scheme uses them that takes hashes from
// several modes: one State for each, with the permutations of an operation counted
// over all of them.
//
// Where a family has one sponge for all modes, the modes are kept apart here: every
// message ends with one byte more, the number of its mode. So messages of different
// modes differ, as those of FIPS 202 do by their suffix and rate. No standard defines
// that; it is our own instance.
//
// Make one with [Family.Suite]. It is not for concurrent use.
type Suite struct {
	states [Modes]State
	before struct{ permutations, initial uint64 } // counts when the latest operation began
}

// Suite returns the family's functions with all counts zero.
func (f Family) Suite() *Suite {
	s := new(Suite)
	for m := range s.states {
		s.states[m] = f.Functions[m].New()
		if f.OneSponge() {
			s.states[m] = &separated{State: s.states[m], suffix: [1]byte{byte(m)}}
		}
	}
	return s
}

// OneSponge reports whether all modes of the family are the same function.
func (f Family) OneSponge() bool { return f.Functions[XOF128].Name == f.Functions[Hash512].Name }

// Begin opens an operation: its counts start at zero.
func (s *Suite) Begin() {
	s.before.permutations, s.before.initial = s.total()
}

// Message starts a message of mode m and returns its State, which is the same one
// for every message of that mode.
func (s *Suite) Message(m Mode) State {
	s.states[m].Reset()
	return s.states[m]
}

// Permutations returns how many permutations there were since Begin.
func (s *Suite) Permutations() uint64 {
	permutations, _ := s.total()
	return permutations - s.before.permutations
}

// Initial returns how many of them were initial ones.
func (s *Suite) Initial() uint64 {
	_, initial := s.total()
	return initial - s.before.initial
}

func (s *Suite) total() (permutations, initial uint64) {
	for _, state := range s.states {
		permutations += state.Permutations()
		initial += state.Initial()
	}
	return permutations, initial
}

// separated is a State whose messages end with a byte more.
type separated struct {
	State
	suffix    [1]byte
	squeezing bool
}

func (s *separated) Reset() {
	s.State.Reset()
	s.squeezing = false
}

func (s *separated) Squeeze(p []byte) {
	if !s.squeezing {
		s.squeezing = true
		s.Absorb(s.suffix[:])
	}
	s.State.Squeeze(p)
}
