package xof

import (
	"bytes"
	"testing"
)

// A suite's functions are the family's, but for the byte that keeps modes apart
// where one sponge serves all.
func TestSuite(t *testing.T) {
	for _, f := range Families {
		t.Run(f.Name, func(t *testing.T) {
			s := f.Suite()
			if one := f.Functions[XOF128].Name == f.Functions[XOF256].Name; f.OneSponge() != one {
				t.Errorf("OneSponge() = %v, want %v", f.OneSponge(), one)
			}
			outputs := map[string]Mode{}
			var want uint64
			for m := range Modes {
				message := []byte("a message of some 30 bytes ...")
				state := s.Message(m)
				got := make([]byte, 60)
				state.Absorb(message[:7])
				state.Absorb(message[7:])
				state.Squeeze(got[:1])
				state.Squeeze(got[1:])
				if other, twice := outputs[string(got)]; twice {
					t.Errorf("modes %d and %d are the same function", other, m)
				}
				outputs[string(got)] = m

				if f.OneSponge() {
					message = append(message, byte(m))
				}
				plain := make([]byte, 60)
				want += f.Functions[m].Sum(plain, message)
				if !bytes.Equal(got, plain) {
					t.Errorf("mode %d: %x, want %x", m, got, plain)
				}
				state = s.Message(m) // again, after a message that squeezed
				state.Absorb(message[:30])
				state.Squeeze(got)
				want += f.Functions[m].Sum(plain, message)
				if !bytes.Equal(got, plain) {
					t.Errorf("mode %d, second message: %x, want %x", m, got, plain)
				}
			}
			if s.Permutations() != want {
				t.Errorf("%d permutations, want %d", s.Permutations(), want)
			}
			if initial := s.Initial(); (initial == 2*uint64(Modes)) != f.OneSponge() {
				t.Errorf("%d initial permutations", initial)
			}
			s.Begin()
			if s.Permutations() != 0 || s.Initial() != 0 {
				t.Errorf("%d permutations, %d initial ones after Begin", s.Permutations(), s.Initial())
			}
		})
	}
}

func TestSuiteAllocatesNothing(t *testing.T) {
	s := ASCON.Suite()
	buf := make([]byte, 32)
	if n := testing.AllocsPerRun(10, func() {
		state := s.Message(XOF256)
		state.Absorb(buf)
		state.Squeeze(buf)
	}); n != 0 {
		t.Errorf("%v allocations a message", n)
	}
}
