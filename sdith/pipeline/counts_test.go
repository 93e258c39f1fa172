package pipeline

import (
	"fmt"
	"testing"

	"socsim/sdith"
)

// specCounts are the exact numbers of SPEC, sections 12.1 to 12.6, for entry 0 and the
// default depth of the cache, set by set in the order of sdith.Sets.
var specCounts = []struct {
	name string
	of   func(c counted) uint64
	want [6]uint64
}{
	{"K: PAIR calls", func(c counted) uint64 { return c.r.Phases[PhaseK].KeySchedules }, [6]uint64{255, 255, 127, 127, 127, 127}},
	{"K: blocks, two a PAIR", func(c counted) uint64 { return c.blocks(PhaseK, forCache) / 2 }, [6]uint64{255, 255, 127, 127, 127, 127}},
	{"G: expansion PAIRs", func(c counted) uint64 { return c.blocks(PhaseG, forTree) / 2 }, [6]uint64{3840, 22272, 6016, 65408, 8064, 85888}},
	{"G: commitment PAIRs", func(c counted) uint64 { return c.blocks(PhaseG, forCommit) / 2 }, [6]uint64{4096, 22528, 6144, 65536, 8192, 86016}},
	{"G: E blocks", func(c counted) uint64 { return blocksOf(c.r.Phases[PhaseG]) }, [6]uint64{15872, 89600, 24320, 261888, 32512, 343808}},
	{"G: Keccak-f", func(c counted) uint64 { return c.operations(PhaseG, "shake") }, [6]uint64{781, 4292, 2169, 23131, 3856, 40479}},
	{"W1: path blocks F1", func(c counted) uint64 { return c.blocks(PhaseW1, forPath) }, [6]uint64{16384, 115456, 33792, 389120, 49152, 537600}},
	{"W2: path blocks F1", func(c counted) uint64 { return c.blocks(PhaseW2, forPath) }, [6]uint64{16384, 115456, 33792, 389120, 49152, 537600}},
	{"W3: path blocks F1", func(c counted) uint64 { return c.blocks(PhaseW3, forPath) }, [6]uint64{16384, 115456, 33792, 389120, 49152, 537600}},
	{"W1: stream blocks", func(c counted) uint64 { return c.blocks(PhaseW1, forStream) }, [6]uint64{36864, 202752, 43008, 458752, 73728, 774144}},
	{"W2: stream blocks", func(c counted) uint64 { return c.blocks(PhaseW2, forStream) }, [6]uint64{36864, 202752, 43008, 458752, 73728, 774144}},
	{"W3: E blocks", func(c counted) uint64 { return blocksOf(c.r.Phases[PhaseW3]) }, [6]uint64{53248, 318208, 76800, 847872, 122880, 1311744}},
	{"W2: cache reads", func(c counted) uint64 { return c.traffic(PhaseW2, "tree cache").Read / c.lambda() }, [6]uint64{4096, 2816, 3072, 2048, 4096, 2688}},
	{"W3: key schedules of leaves", func(c counted) uint64 { return c.r.Phases[PhaseW3].KeySchedules - c.blocks(PhaseW3, forPath) }, [6]uint64{4096, 22528, 6144, 65536, 8192, 86016}},
	{"W3: acc and base traffic, but for the rows of the witness", func(c counted) uint64 {
		acc, base := c.traffic(PhaseW3, "leaf sum"), c.traffic(PhaseW3, "base rows")
		return acc.Read + acc.Written + base.Read + base.Written - uint64(c.p.Tau*c.p.Kappa*c.p.WitnessBits())
	}, [6]uint64{18743296, 103088128, 40894464, 436207616, 71565312, 751435776}},
	{"W1: h_aux Keccak-f", func(c counted) uint64 { return c.operations(PhaseW1, "shake") }, [6]uint64{13, 9, 36, 24, 63, 41}},
	{"W2: Keccak-f of M and h_lines", func(c counted) uint64 { return c.operations(PhaseW2, "shake") }, [6]uint64{108 + 15, 108 + 15, 279 + 39, 279 + 39, 478 + 66, 478 + 66}},
	{"W2: M bits written", func(c counted) uint64 { return c.traffic(PhaseW2, "M").Written }, [6]uint64{144000, 144000, 302848, 302848, 520064, 520064}},
	{"W2: u read: L for u_i, U and dwit (but padding), n_c·n_m", func(c counted) uint64 { return c.traffic(PhaseW2, "u").Read }, [6]uint64{1144 + 144000, 1144 + 144000, 1664 + 302848, 1664 + 302848, 2184 + 520064, 2184 + 520064}},
	{"W2: a_base written", func(c counted) uint64 { return c.traffic(PhaseW2, "a_base").Written }, [6]uint64{18432, 18432, 39936, 39936, 69632, 69632}},
	{"W2: a_base read", func(c counted) uint64 { return c.traffic(PhaseW2, "a_base").Read }, [6]uint64{18432, 18432, 39936, 39936, 69632, 69632}},
	{"W3: witness lines written", func(c counted) uint64 { return c.traffic(PhaseW3, "M").Written }, [6]uint64{78848, 74536, 168192, 168192, 292864, 288288}},
	{"B: gammas Keccak-f", func(c counted) uint64 { return c.operations(PhaseB, "shake") }, [6]uint64{6, 6, 14, 14, 26, 26}},
	{"H: h_piop Keccak-f", func(c counted) uint64 { return c.operations(PhaseH, "shake") }, [6]uint64{1, 1, 2, 2, 2, 2}},
	{"X: H expansion blocks", func(c counted) uint64 { return c.blocks(PhaseX, forColumn) }, [6]uint64{33507, 33507, 41172, 41172, 59575, 59575}},
	{"X: key schedules", func(c counted) uint64 { return c.r.Phases[PhaseX].KeySchedules }, [6]uint64{1, 1, 1, 1, 1, 1}},
	{"B and X: full products: g, mux, unitary (structured)", func(c counted) uint64 { return c.operations(PhaseB, "multiplier") + c.operations(PhaseX, "multiplier") },
		[6]uint64{39716 + 13608 + 336, 39716 + 13608 + 336, 71220 + 24163 + 438, 71220 + 24163 + 438, 76260 + 26000 + 624, 76260 + 26000 + 624}},
	{"X: bit times element", func(c counted) uint64 { return c.r.Phases[PhaseX].Ands }, [6]uint64{13608, 13608, 24163, 24163, 26000, 26000}},
	{"P: attempts", func(c counted) uint64 { return c.r.Attempts }, [6]uint64{291, 2826, 181, 3664, 1527, 5251}},
	{"P: Keccak-f", func(c counted) uint64 { return c.operations(PhaseP, "shake") }, [6]uint64{291, 2826, 181, 3664, 1527, 5251}},
	{"O: path blocks of revealed nodes, and of hidden leaves", func(c counted) uint64 { return c.blocks(PhaseO, forPath) },
		[6]uint64{144 + 64, 266 + 71, 395 + 130, 690 + 144, 627 + 192, 968 + 196}},
	{"O: commitment blocks", func(c counted) uint64 { return c.blocks(PhaseO, forCommit) }, [6]uint64{32, 22, 48, 32, 64, 42}},
	{"signature: corrections", func(c counted) uint64 { return c.traffic(PhaseW1, "signature").Written }, [6]uint64{15 * 1144, 10 * 1144, 23 * 1664, 15 * 1664, 31 * 2184, 20 * 2184}},
	{"signature: bits written in all", func(c counted) uint64 {
		sum := uint64(0)
		for i := range c.r.Phases {
			sum += c.traffic(Phase(i), "signature").Written
		}
		return sum
	}, [6]uint64{35872, 29640, 79328, 63712, 140320, 112968}},
}

// counted is a result to be counted in.
type counted struct {
	p *sdith.Params
	r *Result
}

func (c counted) lambda() uint64 { return uint64(c.p.Lambda) }

func (c counted) blocks(p Phase, why purpose) uint64 {
	for _, b := range c.r.Phases[p].Blocks {
		if b.For == purposeNames[why] {
			return b.Blocks
		}
	}
	return 0
}

func (c counted) operations(p Phase, unit string) uint64 {
	for _, u := range c.r.Phases[p].Units {
		if u.Name == unit {
			return u.Operations
		}
	}
	return 0
}

func (c counted) traffic(p Phase, memory string) Traffic {
	for _, m := range c.r.Phases[p].Memories {
		if m.Name == memory {
			return m
		}
	}
	return Traffic{}
}

func TestCounts(t *testing.T) {
	for i, set := range sdith.Sets {
		t.Run(set.Name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && set != sdith.Cat1Fast {
				t.Skip("takes long")
			}
			c := counted{set, signed(t, newTestMachine(t, configOf(set, false)), job(t, set, 0))}
			for _, test := range specCounts {
				if got := test.of(c); got != test.want[i] {
					t.Errorf("%s: %d, SPEC section 12 has %d", test.name, got, test.want[i])
				}
			}
			// What SPEC gives as formulas.
			shifts, sums := unitaryWork(c)
			p := set
			lists, tm := []int{p.BlockLength}, 0
			for j, mu := range p.Mu {
				lists = append(lists, (lists[j]+mu-1)/mu)
				tm += (j + 1) * (lists[j] - lists[j+1])
			}
			for _, test := range []struct {
				name      string
				got, want uint64
			}{
				{"g: sums 3(n-c+1)", sumsOf(c, PhaseB) + 3*uint64(p.CodeLength()-p.Codim), 3 * uint64(p.CodeLength()-p.Codim+1)},
				{"shifts of g, c - 4, and of the unitary checks", c.r.Phases[PhaseX].Shifts, uint64(p.Codim-4) + shifts},
				{"sums of g, of the multiplexers, three a product, of the unitary checks, and of blocks", c.r.Phases[PhaseX].Sums,
					uint64(3*(p.CodeLength()-p.Codim)+3*p.Weight*tm+(levels+1)*p.Weight) + sums},
				{"lines read: one for each element but the first of its run, and all for the unitary checks",
					// SPEC has λ bits of each, of which those above κ·τ are zero and in no memory
					c.traffic(PhaseX, "M").Read, uint64(p.Weight*p.Kappa*p.Tau) * uint64(lists[0]-1+p.ControlBits())},
				{"M read: once for each repetition", c.traffic(PhaseW2, "M").Read, uint64(p.Tau * p.CheckBits() * p.CheckedBits())},
				{"K: cache written", c.traffic(PhaseK, "tree cache").Written, 2 * (1<<defaultCacheDepth(p) - 1) * c.lambda()},
				{"G: cache read", c.traffic(PhaseG, "tree cache").Read, 1 << defaultCacheDepth(p) * c.lambda()},
				{"mux products", c.r.Phases[PhaseX].Ands, uint64(p.Weight * tm)},
			} {
				if test.got != test.want {
					t.Errorf("%s: %d, want %d", test.name, test.got, test.want)
				}
			}
		})
	}
}

func sumsOf(c counted, p Phase) uint64 { return c.r.Phases[p].Sums }

// unitaryWork counts shifts and sums of the unitary checks. Shifts are by z^k in s1, s2, s3
// but for k = 0, by z^32 of two coefficients, and of the products with constant terms
// that are not 1. Sums are those of s1, s2, s3, of these products, of two coefficients a
// level, and of two a block with S.
func unitaryWork(c counted) (shifts, sums uint64) {
	sk, err := sdith.ParseSecretKey(c.p, keyOf(c.p))
	if err != nil {
		panic(err)
	}
	at := 0
	for range c.p.Weight {
		for _, mu := range c.p.Mu {
			shifts += uint64(mu-2) + 2*uint64(mu-3) + 2
			sums += uint64(mu-1) + 2*uint64(mu-2) + 2
			for k := range mu - 1 {
				if bitAt(sk.Witness(), at+k) == 0 {
					continue
				}
				sums++ // with s2
				if k < mu-2 {
					sums++ // with s1
				}
				if k > 0 {
					shifts++
					if k < mu-2 {
						shifts++
					}
				}
			}
			at += mu - 1
		}
		sums += 2
	}
	return shifts, sums
}

func keyOf(p *sdith.Params) []byte {
	k, err := p.KAT(0)
	if err != nil {
		panic(err)
	}
	sk, err := p.GenerateKey(k.KeyEntropy)
	if err != nil {
		panic(err)
	}
	return sk.Bytes()
}

// specDepths are path blocks of a pass: F0, F1 and F2 of SPEC, section 12.3, by the depth
// of the cache and by set.
var specDepths = map[int][6][3]uint64{
	0:  {{49152, 24544, 20464}, {327680, 121088, 98571}, {77824, 39888, 33768}, {1048576, 393184, 327664}, {106496, 57280, 49120}, {1417216, 542997, 457002}},
	4:  {{32768, 24064, 20224}, {237568, 120736, 98384}, {53248, 39168, 33408}, {786432, 392704, 327424}, {73728, 56320, 48640}, {1073152, 542304, 456624}},
	6:  {{24576, 22528, 19456}, {192512, 119680, 97856}, {40960, 36864, 32256}, {655360, 391168, 326656}, {57344, 53248, 47104}, {901120, 540288, 455616}},
	7:  {{20480, 20480, 18432}, {169984, 118272, 97152}, {34816, 33792, 30720}, {589824, 389120, 325632}, {49152, 49152, 45056}, {815104, 537600, 454272}},
	8:  {{16384, 16384, 16384}, {147456, 115456, 95744}, {28672, 28672, 27648}, {524288, 385024, 323584}, {40960, 40960, 40960}, {729088, 532224, 451584}},
	9:  {{12288, 12288, 12288}, {124928, 109824, 92928}, {22528, 22528, 22528}, {458752, 376832, 319488}, {32768, 32768, 32768}, {643072, 521472, 446208}},
	10: {{8192, 8192, 8192}, {102400, 98560, 87296}, {16384, 16384, 16384}, {393216, 360448, 311296}, {24576, 24576, 24576}, {557056, 499968, 435456}},
	11: {{4096, 4096, 4096}, {79872, 79872, 76032}, {10240, 10240, 10240}, {327680, 327680, 294912}, {16384, 16384, 16384}, {471040, 456960, 413952}},
	12: {{0, 0, 0}, {57344, 57344, 57344}, {4096, 4096, 4096}, {262144, 262144, 262144}, {8192, 8192, 8192}, {385024, 385024, 370944}},
}

// walker is what a machine of any field can do without signing.
type walker interface {
	load(Job) error
	enter(Phase)
	fill()
	walkTo(node int, start cycle, why purpose, how keeping) cycle
	forgetWay()
	blocksSoFar(Phase, purpose) uint64
}

func (m *machine[E]) forgetWay() { m.way.forget() }
func (m *machine[E]) blocksSoFar(p Phase, why purpose) uint64 {
	return m.ciphers.blocks[p][why]
}

// The cache-depth table: a pass over all leaves, without their streams.
func TestCacheDepths(t *testing.T) {
	for i, set := range sdith.Sets {
		for depth, want := range specDepths {
			for way, path := range []PathRegisters{PathNone, PathSingle, PathBoth} {
				if !*long && want[i][way] > 60000 || testing.Short() && (i > 0 || depth%4 != 0) {
					continue
				}
				t.Run(fmt.Sprintf("%s/%d/%v", set.Name, depth, path), func(t *testing.T) {
					t.Parallel()
					c := configOf(set, false)
					c.CacheDepth, c.Path = depth, path
					m := newTestMachine(t, c).signer.(walker)
					if err := m.load(job(t, set, 0)); err != nil {
						t.Fatal(err)
					}
					m.enter(PhaseK)
					m.fill()
					m.enter(PhaseW1)
					for e := range set.Tau {
						m.forgetWay()
						for i := range set.Positions() {
							m.walkTo(set.LeafNode(e, i), 0, forPath, path.keeping())
						}
					}
					got := m.blocksSoFar(PhaseW1, forPath)
					if path == PathBoth {
						got /= 2 // steps, of both children
					}
					if got != want[i][way] {
						t.Errorf("%d path blocks, SPEC section 12.3 has %d", got, want[i][way])
					}
				})
			}
		}
	}
}

// The depth of the cache and the path registers change cycles, never the signature.
func TestCacheDepthChangesOnlyCycles(t *testing.T) {
	set := sdith.Cat1Fast
	want, err := set.KATDigest(0)
	if err != nil {
		t.Fatal(err)
	}
	depths := []int{0, 1, 5, 7, 8, 11, 12}
	if testing.Short() {
		depths = []int{0, 12}
	}
	for _, path := range []PathRegisters{PathNone, PathSingle, PathBoth} {
		cycles := map[int64]int{}
		for _, depth := range depths {
			c := configOf(set, true)
			c.CacheDepth, c.Path = depth, path
			r := signed(t, newTestMachine(t, c), job(t, set, 0))
			if digest(r.Signature) != want {
				t.Errorf("depth %d, path %v: another signature", depth, path)
			}
			if other, ok := cycles[r.Cycles]; ok {
				t.Errorf("path %v: depths %d and %d both take %d cycles", path, other, depth, r.Cycles)
			}
			cycles[r.Cycles] = depth
		}
	}
}

// A tree whose leaves have two depths, with a cache so near to the root that one of its
// subtrees has leaves of both.
func TestStraddlingSubtree(t *testing.T) {
	for _, depth := range []int{0, 1, 2} {
		c := configOf(sdith.Cat1Short, true)
		if testing.Short() {
			t.Skip("takes long")
		}
		c.CacheDepth = depth
		r := signed(t, newTestMachine(t, c), job(t, c.Set, 0))
		want, err := c.Set.KATDigest(0)
		if err != nil {
			t.Fatal(err)
		}
		if digest(r.Signature) != want {
			t.Errorf("depth %d: another signature", depth)
		}
	}
}
