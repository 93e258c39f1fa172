package pipeline

import (
	"errors"
	"fmt"

	"socsim/sdith"
	"socsim/sdith/field"
)

// What is wrong with a job.
var (
	ErrKey     = errors.New("secret key")
	ErrMessage = errors.New("message")
	ErrEntropy = errors.New("entropy")
	ErrWitness = errors.New("the witness of the secret key is none for its seed_pk and y")
)

// Job is what a signature is made from: a secret key as [sdith.SecretKey.Bytes] gives
// it, the message, at most [MaxMessage] bytes, and entropy = salt ‖ root_seed, 2B random
// bytes. Sign keeps none of them.
type Job struct {
	SecretKey, Message, Entropy []byte
}

// Machine is the hardware in one configuration. It makes one signature at a time, and
// can be used again. Make one with [New].
type Machine struct {
	c      Config
	signer signer
}

// signer is a machine of one of the three fields.
type signer interface {
	sign(Job) (*Result, error)
	inventory() Inventory
	schedule() *schedule
}

// New returns the hardware of a configuration, or the error that [Config.Check] has.
func New(c Config) (*Machine, error) {
	if err := c.Check(); err != nil {
		return nil, fmt.Errorf("sdith pipeline: %w", err)
	}
	switch c.Set.Lambda {
	case 128:
		return &Machine{c, newMachine[field.GF128](c)}, nil
	case 192:
		return &Machine{c, newMachine[field.GF192](c)}, nil
	default:
		return &Machine{c, newMachine[field.GF256](c)}, nil
	}
}

// Config returns the configuration.
func (m *Machine) Config() Config { return m.c }

// Sign makes a signature. Its errors are [ErrKey], [ErrMessage], [ErrEntropy] or
// [ErrWitness], with what is wrong.
func (m *Machine) Sign(j Job) (*Result, error) {
	r, err := m.signer.sign(j)
	if err != nil {
		return nil, fmt.Errorf("sdith pipeline %s: %w", m.c.Name(), err)
	}
	return r, nil
}

// Trace tells t of everything that is in use from now on, or nobody if t is nil.
func (m *Machine) Trace(t Tracer) { m.signer.schedule().trace = t }

// Signals returns the names of the signals that a [Tracer] is told of, by number:
// units, and ports of memories, whose names end in " read" or " write".
func (m *Machine) Signals() []string { return m.signer.schedule().names }

// machine is the hardware over the field with elements E.
type machine[E field.Element[E]] struct {
	s schedule
	c Config
	p *sdith.Params

	// Units.
	ciphers ciphers
	shake   shake
	product product[E]
	xor     unit // sums the streams of leaves
	check   unit // multiplies rows of M by those of a repetition
	choice  unit // checks a proof of work, and which seeds it reveals

	// Memories that are loaded before the start, and what comes out.
	secretKey, message, signature *memory

	// Memories.
	cache   *memory // the seeds of level D
	acc     *memory // the sum of a repetition's streams
	base    *memory // its κ rows
	u       *memory
	m       *memory // the matrix M
	aBase   *memory
	lines   *memory // witness lines: word k has bit k of all rows. HP0 has them where M was.
	gammas  *memory // γ_0 to γ_3, γ'_0 to γ'_{w-1}
	columns *memory // two columns of H, one in the making, one in use

	// Registers.
	salt, root *memory
	way        walk
	turn       *memory // a word of each row of a repetition, to be turned
	hash       *memory // h_com, h_aux, h_lines, h_piop, each made from the one before
	digest     *memory // a proof of work
	hidden     *memory // the hidden leaves, sorted
	queue      *memory // nodes on the way from them to the root
	elements   elements[E]
	operand    [32]byte // what goes to the multiplier

	messageSize int
	sigFields   [9]sdith.Field

	onPhase func(Phase) // nil, or called at the start of each phase; for tests
}

// elements are the registers that hold elements.
type elements[E field.Element[E]] struct {
	mask [4]timed[E] // P0; before that A_s in place 3 - s
	sum  [5]timed[E] // S
	mux  mux[E]
}

func newMachine[E field.Element[E]](c Config) *machine[E] {
	p := c.Set
	m := &machine[E]{c: c, p: p}
	s := &m.s
	word := c.Costs.Word

	m.salt, m.root = newRegisters("salt", 1, p.Lambda), newRegisters("root seed", 1, p.Lambda)
	m.ciphers = s.newCiphers(p, c.Costs, m.salt.data)
	m.shake = s.newShake(p, c.Costs)
	m.product = newProduct[E](s, p, c.Costs)
	m.xor, m.check, m.choice = s.newUnit("leaf sums"), s.newUnit("consistency"), s.newUnit("challenge")

	m.secretKey = s.newMemory("secret key", p.SecretKeySize(), 8, word)
	m.message = s.newMemory("message", MaxMessage, 8, word)
	m.signature = s.newMemory("signature", p.SignatureSize(), 8, word)

	m.cache = s.newMemory("tree cache", 1<<c.CacheDepth, p.Lambda, p.Lambda)
	m.acc = s.newMemory("leaf sum", p.VOLESize(), 8, word)
	m.base = s.newMemory("base rows", p.Kappa, p.VOLEBits(), word)
	m.u = s.newMemory("u", p.VOLESize(), 8, word)
	m.m = s.newMemory("M", p.CheckBits(), p.CheckedBits(), word)
	m.aBase = s.newMemory("a_base", p.CheckBits(), p.Lambda, p.Lambda)
	m.lines = m.m
	if c.HalfPoly {
		m.lines = s.newMemory("witness lines", p.WitnessBits(), p.Kappa*p.Tau, p.Kappa*p.Tau)
	}
	m.gammas = s.newMemory("gammas", limbs+p.Weight, p.Lambda, p.Lambda)
	m.columns = s.newMemory("columns of H", 2, p.Codim, 8*p.BlockSize())

	m.way = newWalk(c)
	m.base.banks = p.Kappa
	m.turn = newRegisters("row words", p.Kappa, word)
	m.hash = newRegisters("hash value", 1, 8*p.HashSize())
	m.digest = newRegisters("proof of work", 1, 8*p.PoWSize())
	m.hidden = newRegisters("hidden leaves", p.Tau, nodeBits(p))
	m.queue = newRegisters("node queue", p.Tau, nodeBits(p))
	copy(m.sigFields[:], p.SignatureFields())
	return m
}

// limbs is q, the limbs of a syndrome (SPEC, section 9).
const limbs = 4

// nodeBits is the bits of a node's number.
func nodeBits(p *sdith.Params) int { return deepest(p) + 1 }

func (m *machine[E]) schedule() *schedule { return &m.s }

// memories are all of them.
func (m *machine[E]) memories() []*memory {
	all := []*memory{m.secretKey, m.message, m.signature, m.cache, m.acc, m.base, m.u, m.m, m.aBase}
	if m.lines != m.m {
		all = append(all, m.lines)
	}
	return append(all, m.gammas, m.columns, m.salt, m.root, m.way.seeds, m.way.nodes, m.way.seed, m.turn, m.hash, m.digest, m.hidden, m.queue)
}

// units are all of them.
func (m *machine[E]) units() []*unit {
	return []*unit{&m.ciphers.cores[0], &m.ciphers.cores[1], &m.shake.unit, &m.product.unit, &m.xor, &m.check, &m.choice}
}

// load puts a job into the memories.
func (m *machine[E]) load(j Job) error {
	if _, err := sdith.ParseSecretKey(m.p, j.SecretKey); err != nil {
		return fmt.Errorf("%w: %w", ErrKey, err)
	}
	if len(j.Message) > MaxMessage {
		return fmt.Errorf("%w of %d bytes, the message memory has %d", ErrMessage, len(j.Message), MaxMessage)
	}
	if len(j.Entropy) != 2*m.p.SeedSize() {
		return fmt.Errorf("%w of %d bytes, want %d", ErrEntropy, len(j.Entropy), 2*m.p.SeedSize())
	}
	m.s.reset()
	for _, u := range m.units() {
		u.reset()
	}
	m.ciphers.reset()
	m.product.reset()
	for _, mem := range m.memories() {
		mem.reset()
	}
	m.way.forget()
	m.elements = elements[E]{}

	copy(m.secretKey.data, j.SecretKey)
	m.messageSize = copy(m.message.data, j.Message)
	copy(m.salt.data, j.Entropy)
	copy(m.root.data, j.Entropy[m.p.SeedSize():])
	return nil
}

// sign is the sequencer.
func (m *machine[E]) sign(j Job) (*Result, error) {
	if err := m.load(j); err != nil {
		return nil, err
	}
	m.enter(PhaseK)
	m.fill()
	if !m.c.HComInPhase12 {
		m.enter(PhaseG)
		m.commit()
	}
	m.enter(PhaseW1)
	m.sum()
	m.enter(PhaseW2)
	m.respond()
	m.enter(PhaseB)
	m.batch()
	if !m.c.HalfPoly {
		m.enter(PhaseW3)
		m.keepLines()
	}
	m.enter(PhaseX)
	if err := m.prove(); err != nil {
		return nil, err
	}
	m.enter(PhaseH)
	m.publish()
	m.enter(PhaseP)
	attempts, err := m.work()
	if err != nil {
		return nil, err
	}
	m.enter(PhaseO)
	m.open()
	return m.result(attempts), nil
}

func (m *machine[E]) enter(p Phase) {
	m.s.enter(p)
	if m.onPhase != nil {
		m.onPhase(p)
	}
}

// put writes b to the signature memory, at byte at of a field.
func (m *machine[E]) put(ready cycle, f sigField, at int, b []byte) (done cycle) {
	return m.signature.write(ready, m.sigFields[f].Offset+at, b)
}

// absorbField absorbs a field of the signature.
func (m *machine[E]) absorbField(f sigField) (done cycle) {
	field := m.sigFields[f]
	return m.shake.absorbFrom(m.signature.there, m.signature, field.Offset, field.Size)
}

// sigField is a field of a signature, by its number in [sdith.Params.SignatureFields].
type sigField int

const (
	sigSalt sigField = iota
	sigPath
	sigHiddenCom
	sigCorrection
	sigAPlain
	sigDWit
	sigAlpha
	sigHPIOP
	sigCounter
)

// Places in a secret key: seed_sk ‖ seed_pk ‖ wit ‖ y (SPEC, section 2).

func (m *machine[E]) seedPKAt() int        { return m.p.SeedSize() }
func (m *machine[E]) witnessAt() int       { return 2 * m.p.SeedSize() }
func (m *machine[E]) witnessSize() int     { return (m.p.WitnessBits() + 7) / 8 }
func (m *machine[E]) syndromeAt() int      { return m.witnessAt() + m.witnessSize() }
func (m *machine[E]) syndromeSize() int    { return m.p.Codim / 8 }
func (m *machine[E]) seed(b []byte) []byte { return b[:m.p.SeedSize()] }
