package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/sdith"
)

var long = flag.Bool("long", false, "run all configurations with many known answers, and all of the cache depths")

// job returns known answer number count of a set.
func job(t testing.TB, set *sdith.Params, count int) Job {
	t.Helper()
	k, err := set.KAT(count)
	if err != nil {
		t.Fatal(err)
	}
	sk, err := set.GenerateKey(k.KeyEntropy)
	if err != nil {
		t.Fatal(err)
	}
	return Job{sk.Bytes(), k.Msg, k.SignEntropy}
}

func newTestMachine(t testing.TB, c Config) *Machine {
	t.Helper()
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func signed(t testing.TB, m *Machine, j Job) *Result {
	t.Helper()
	r, err := m.Sign(j)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// configOf returns a set's configuration with its default options.
func configOf(set *sdith.Params, half bool) Config {
	return Config{Set: set, HalfPoly: half, CacheDepth: defaultCacheDepth(set), Costs: DefaultCosts()}
}

func digest(b []byte) string {
	d := sha256.Sum256(b)
	return hex.EncodeToString(d[:])
}

// Every configuration makes the signatures of the known answers, on one machine one
// after the other.
func TestKnownAnswers(t *testing.T) {
	for _, c := range Configs() {
		t.Run(c.Name(), func(t *testing.T) {
			t.Parallel()
			counts := 1
			switch {
			case *long:
				counts = 5
			case testing.Short() && c.Set != sdith.Cat1Fast:
				t.Skip("not in short tests")
			case c.Set.Kappa == 8:
				counts = 2
			}
			m := newTestMachine(t, c)
			for count := range counts {
				r := signed(t, m, job(t, c.Set, count))
				want, err := c.Set.KATDigest(count)
				if err != nil {
					t.Fatal(err)
				}
				if got := digest(r.Signature); got != want {
					t.Errorf("known answer %d: the signature has the digest %s, want %s", count, got, want)
				}
				var cycles, last int64
				for _, p := range r.Phases {
					cycles += p.Cycles
					last = max(last, p.End)
					if occurs := p.Phase != PhaseW3 || !c.HalfPoly; occurs != (p.Cycles > 0) {
						t.Errorf("phase %v has %d cycles", p.Phase, p.Cycles)
					}
				}
				if cycles != r.Cycles || last != r.Cycles {
					t.Errorf("%d cycles, phases have %d, the last ends at %d", r.Cycles, cycles, last)
				}
			}
		})
	}
}

// What HCOM_IN_PHASE12 makes is no known answer, but that of the vectors'
// hcom_in_phase12_variant, and with as many attempts: figures from there.
func TestHComInPhase12(t *testing.T) {
	for _, test := range []struct {
		set      *sdith.Params
		attempts uint64
		digest   string
	}{
		{sdith.Cat1Fast, 500 + 1, "168fd28bf82239aada728f1b12dcf5a0cdafec477c2ad4a57c74028b89fb116b"},
		{sdith.Cat1Short, 761 + 1, "a7ede08234d91c59d0195ec6c2970b684e936f0c1d5d9329f8ca179bea76783f"},
		{sdith.Cat3Fast, 332 + 1, "c91451c24049eee6f666eea7d04733649ddccc0159affb0da73a7981ad34a810"},
		{sdith.Cat3Short, 6126 + 1, "604a2921fae3cf93f598556e880610ae4959fc5c58ea737d7e3f805517fe16e8"},
		{sdith.Cat5Fast, 6533 + 1, "a0b8079052c77af771e262bfb76a15f69fecb8a1bea37131dc50bfa1bf2f90ae"},
		{sdith.Cat5Short, 14683 + 1, "9a6ce7a7ce1aa2dbd3c6de7c254aee4a36a469d0d8ba6edbedd0cd6bddc33469"},
	} {
		t.Run(test.set.Name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && test.set != sdith.Cat1Fast || !*long && test.set.Kappa > 8 && test.set != sdith.Cat1Short {
				t.Skip("takes long")
			}
			c := configOf(test.set, true)
			c.HComInPhase12 = true
			r := signed(t, newTestMachine(t, c), job(t, test.set, 0))
			if got := digest(r.Signature); got != test.digest || r.Attempts != test.attempts {
				t.Errorf("%d attempts, digest %s; want %d, %s", r.Attempts, got, test.attempts, test.digest)
			}
			if g := r.Phases[PhaseG]; g.End != 0 || g.Units != nil {
				t.Errorf("there is a phase G: %+v", g)
			}
			// SPEC, section 12.3: what it saves in blocks.
			d := configOf(test.set, true)
			other := signed(t, newTestMachine(t, d), job(t, test.set, 0))
			saved := total(other, blocksOf, PhaseK, PhaseG, PhaseW1, PhaseW2) - total(r, blocksOf, PhaseK, PhaseG, PhaseW1, PhaseW2)
			if want := uint64(2 * (test.set.Leaves() - 1<<d.CacheDepth)); saved != want {
				t.Errorf("%d blocks saved, want %d", saved, want)
			}
		})
	}
}

// total sums what of gives over phases.
func total(r *Result, of func(PhaseResult) uint64, phases ...Phase) (sum uint64) {
	for _, p := range phases {
		sum += of(r.Phases[p])
	}
	return sum
}

func blocksOf(p PhaseResult) (sum uint64) {
	for _, b := range p.Blocks {
		sum += b.Blocks
	}
	return sum
}

// One bit wrong anywhere in the middle changes the signature: what is modelled is what
// signs.
func TestFaults(t *testing.T) {
	c := configOf(sdith.Cat1Fast, false)
	j := job(t, c.Set, 0)
	m := newTestMachine(t, c)
	want := signed(t, m, j)
	hw := m.signer.(*machine[field128])
	flip := func(mem *memory, bit int) func() {
		return func() { mem.data[bit/8] ^= 1 << (bit % 8) }
	}
	for i, test := range []struct {
		name string
		at   Phase
		flip func()
	}{
		{"first word of the cache before G", PhaseG, flip(hw.cache, 0)},
		{"last word of the cache before W1", PhaseW1, flip(hw.cache, 8*len(hw.cache.data)-1)},
		{"a word of the cache before W2", PhaseW2, flip(hw.cache, 100*128)},
		{"a word of the cache before W3", PhaseW3, flip(hw.cache, 200*128+5)},
		{"u before W2", PhaseW2, flip(hw.u, 700)},
		{"h_aux", PhaseW2, flip(hw.hash, 3)},
		{"h_lines", PhaseB, flip(hw.hash, 3)},
		{"a correction", PhaseW2, flip(hw.signature, 8*hw.sigFields[sigCorrection].Offset)},
		{"γ'", PhaseX, flip(hw.gammas, 8*len(hw.gammas.data)-1)},
		{"the witness lines", PhaseX, flip(hw.lines, 1000)},
		{"h_piop", PhaseP, flip(hw.hash, 255)},
		{"a hidden leaf", PhaseO, flip(hw.hidden, 1)},
		{"salt before O", PhaseO, flip(hw.salt, 1)},
	} {
		if testing.Short() && i > 2 {
			break
		}
		hw.onPhase = func(p Phase) {
			if p == test.at {
				test.flip()
			}
		}
		r, err := m.Sign(j)
		if err == nil && digest(r.Signature) == digest(want.Signature) {
			t.Errorf("%s: a wrong bit does not show", test.name)
		}
	}
	hw.onPhase = nil

	// A cipher output: of the cache, of the tree, of a leaf in each pass, of H.
	blocks := map[Phase]uint64{}
	at := uint64(0)
	for _, p := range want.Phases {
		blocks[p.Phase] = at
		at += blocksOf(p)
	}
	for _, block := range []uint64{0, 17, blocks[PhaseG] + 1000, blocks[PhaseW1] + 2000, blocks[PhaseW2] + 3000, blocks[PhaseW3] + 4000,
		blocks[PhaseX] + 30000, at - 1} {
		if testing.Short() && block > blocks[PhaseG]+1000 {
			break
		}
		hw.ciphers.tamper = func(n uint64, out []byte) {
			if n == block {
				out[5] ^= 0x10
			}
		}
		r, err := m.Sign(j)
		if err == nil && digest(r.Signature) == digest(want.Signature) {
			t.Errorf("block %d of %d: a wrong bit does not show", block, at)
		}
	}
	hw.ciphers.tamper = nil

	if got := signed(t, m, j); !cmp.Equal(got, want) {
		t.Errorf("after all that the machine does something else:\n%s", cmp.Diff(want, got))
	}
}

// What is wrong with a job is said, and does no harm to the next one.
func TestBadJobs(t *testing.T) {
	c := configOf(sdith.Cat1Fast, true)
	m, good := newTestMachine(t, c), job(t, sdith.Cat1Fast, 0)
	wrongY := append([]byte(nil), good.SecretKey...)
	wrongY[len(wrongY)-1] ^= 1
	other := append([]byte(nil), good.SecretKey...)
	other[2*c.Set.SeedSize()] ^= 0xff // two control bits of a level
	for _, test := range []struct {
		name string
		job  Job
		want error
	}{
		{"no key", Job{nil, good.Message, good.Entropy}, ErrKey},
		{"a short key", Job{good.SecretKey[1:], good.Message, good.Entropy}, ErrKey},
		{"no witness at all", Job{other, good.Message, good.Entropy}, ErrKey},
		{"a long message", Job{good.SecretKey, make([]byte, MaxMessage+1), good.Entropy}, ErrMessage},
		{"short entropy", Job{good.SecretKey, good.Message, good.Entropy[1:]}, ErrEntropy},
		{"another syndrome", Job{wrongY, good.Message, good.Entropy}, ErrWitness},
	} {
		r, err := m.Sign(test.job)
		if !errors.Is(err, test.want) || r != nil {
			t.Errorf("%s: %v, %v; want %v", test.name, r, err, test.want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "sdith pipeline sec1_fast_hp1: ") {
			t.Errorf("%s: the error does not say of what: %v", test.name, err)
		}
	}
	for _, message := range [][]byte{nil, make([]byte, MaxMessage)} {
		r := signed(t, m, Job{good.SecretKey, message, good.Entropy})
		sk, err := sdith.ParseSecretKey(c.Set, good.SecretKey)
		if err != nil {
			t.Fatal(err)
		}
		want, err := sk.Sign(message, good.Entropy)
		if err != nil || digest(want) != digest(r.Signature) {
			t.Errorf("a message of %d bytes: not the signature of package sdith (%v)", len(message), err)
		}
	}
}

func TestBadConfigs(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Config)
		want   string
	}{
		{"no set", func(c *Config) { c.Set = nil }, "without a parameter set"},
		{"cache depth -1", func(c *Config) { c.CacheDepth = -1 }, "want 0 to 12"},
		{"cache depth 13", func(c *Config) { c.CacheDepth = 13 }, "want 0 to 12"},
		{"path", func(c *Config) { c.Path = 3 }, "known: single, none, both"},
		{"no costs", func(c *Config) { c.Costs = Costs{} }, "aes = 0"},
		{"odd word", func(c *Config) { c.Costs.Word = 12 }, "whole bytes"},
	} {
		c := configOf(sdith.Cat1Fast, false)
		test.change(&c)
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
	if _, err := ParseConfig("sec2_fast_hp0"); err == nil || !strings.Contains(err.Error(), "sec5_short_hp1") {
		t.Errorf("sec2_fast_hp0: %v", err)
	}
	for _, c := range Configs() {
		if parsed, err := ParseConfig(c.Name()); err != nil || parsed != c {
			t.Errorf("%s: parsed %+v, %v", c.Name(), parsed, err)
		}
	}
}

// Nothing is kept outside the memories: a signature allocates little but itself. Not at
// level 1, where the standard library allocates for every key of AES.
func TestNoHiddenMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, half := range []bool{false, true} {
		c := configOf(sdith.Cat3Fast, half)
		m, j := newTestMachine(t, c), job(t, c.Set, 0)
		signed(t, m, j)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := signed(t, m, j)
		runtime.ReadMemStats(&after)
		used := int(after.TotalAlloc-before.TotalAlloc) - len(r.Signature)
		// The parsed key, the report, and bytes of α. M alone has 37,856 bytes.
		if used > 24<<10 {
			t.Errorf("%s: a signature allocates %d bytes", c.Name(), used)
		}
	}
}
