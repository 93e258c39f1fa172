package rv32

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var updateObjdump = flag.Bool("update-objdump", false, "rewrite testdata/objdump from the output of "+objdumpName)

// exceptions are the words of the sample on which objdump and we differ. All
// other words have equal text, and are legal exactly if objdump prints an
// instruction.
var exceptions = []struct {
	match, mask uint32
	reason      string // the manual's rule, in short

	// What the word is to us: illegal, or what objdump takes the word same(w)
	// for, or as objdump has it but illegal all the same (neither is set).
	illegal bool
	same    func(w uint32) uint32
}{
	{0x02001013, 0xfe00707f, "slli: RV32I shifts by 5 bits; the encodings with imm[5] = 1 are reserved", true, nil},
	{0x02005013, 0xfe00707f, "srli: likewise", true, nil},
	{0x42005013, 0xfe00707f, "srai: likewise", true, nil},
	{0x1002, 0xf003, "c.slli: on RV32 shamt[5] must be 0; 1 is left to custom extensions, and there is none", true, nil},
	{0x9001, 0xfc03, "c.srli: likewise", true, nil},
	{0x9401, 0xfc03, "c.srai: likewise", true, nil},
	{0x6101, 0xffff, "c.addi16sp: the immediate 0 is reserved", true, nil},
	{0x0000, 0xffff, "the all-zero parcel is defined to be illegal; objdump's name for it, unimp, is ours too", false, nil},

	{0x00200073, 0xffffffff, "uret: returns from user-level traps, which came and went with the N extension", true, nil},
	{0x10200073, 0xffffffff, "sret: needs supervisor mode, without it the encoding is illegal", true, nil},
	{0x10400073, 0xfff07fff, "sfence.vm: of a draft, never ratified", true, nil},
	{0x12000073, 0xfe007fff, "sfence.vma: belongs to supervisor mode and its address translation", true, nil},
	{0x20200073, 0xffffffff, "hret: of a draft, never ratified", true, nil},
	{0x7b200073, 0xffffffff, "dret: exists in debug mode only, elsewhere it is illegal", true, nil},

	{0x0000000f, 0x0000707f, "fence: rd, rs1 and modes without a meaning are to be ignored, the word is a fence with the sets it names", false, plainFence},
	{0x0000100f, 0x0000707f, "fence.i: rd, rs1 and the immediate are to be ignored", false, func(uint32) uint32 { return 0x100f }},
}

// plainFence clears the fields of a fence that have no meaning: rd, rs1, and
// a mode (bits 31:28) that is neither 0 nor the one of fence.tso with its sets.
func plainFence(w uint32) uint32 {
	if w&0xfff00000 == 0x83300000 {
		return 0x8330000f
	}
	return w & 0x0ff0000f
}

// dataText is how an illegal encoding prints.
func dataText(w uint32) string { return fmt.Sprintf(".%dbyte\t%#x", wordLen(w), w) }

// A verdict is what there is to say about one word.
type verdict struct {
	text  string
	legal bool
}

// expected takes objdump's word for each of words, exceptions applied.
func expected(t *testing.T, options string, words []uint32) []verdict {
	t.Helper()
	asked := append([]uint32(nil), words...)
	verdicts := make([]verdict, len(words))
	for i, w := range words {
		for _, e := range exceptions {
			if w&e.mask == e.match && e.same != nil {
				asked[i] = e.same(w)
			}
		}
	}
	for i, text := range objdump(t, options, asked) {
		v := verdict{text, text != dataText(asked[i])}
		for _, e := range exceptions {
			if w := words[i]; w&e.mask == e.match && e.same == nil {
				v.legal = false
				if e.illegal {
					v.text = dataText(w)
				}
			}
		}
		verdicts[i] = v
	}
	return verdicts
}

// ours is the same by our own table.
func ours(t *testing.T, options string, words []uint32) []verdict {
	t.Helper()
	table := mustTable(t)
	disassemble := table.Disassemble
	if options == noAliases {
		disassemble = table.DisassembleNoAliases
	}
	verdicts := make([]verdict, len(words))
	pc := uint32(sampleBase)
	for i, w := range words {
		verdicts[i] = verdict{disassemble(pc, w), table.Decode(w).Instr != nil}
		pc += wordLen(w)
	}
	return verdicts
}

// Options of objdump, and of ours.
const (
	numeric   = "numeric"
	noAliases = "numeric,no-aliases"
)

// digests folds verdicts into two lines: legality, and text.
func digests(group, options string, words []uint32, verdicts []verdict) (legal, text string) {
	legality, print := sha256.New(), sha256.New()
	n := 0
	for i, v := range verdicts {
		fmt.Fprintf(print, "%08x %s\n", words[i], v.text)
		fmt.Fprintf(legality, "%08x %v\n", words[i], v.legal)
		if v.legal {
			n++
		}
	}
	return fmt.Sprintf("%s legal %d of %d %x", group, n, len(words), legality.Sum(nil)),
		fmt.Sprintf("%s %s %x", group, options, print.Sum(nil))
}

func digestFile(of func(options string, words []uint32) []verdict) []byte {
	var b bytes.Buffer
	b.WriteString(`# What GNU objdump 2.40 says of the sample words (sample_test.go), with the
# exceptions of disasm_test.go applied, folded by SHA-256. Rewrite with
#   go test ./rv32 -run TestObjdump -update-objdump
# group, "legal", how many of how many, digest; group, options, digest of the text
`)
	for _, g := range samples() {
		legal, text := digests(g.name, numeric, g.words, of(numeric, g.words))
		_, raw := digests(g.name, noAliases, g.words, of(noAliases, g.words))
		fmt.Fprintf(&b, "%s\n%s\n%s\n", legal, text, raw)
	}
	return b.Bytes()
}

var digestPath = filepath.Join("testdata", "objdump", "digests.txt")

// TestDigests compares text and legality of the whole sample with what objdump
// said when the digests were made.
func TestDigests(t *testing.T) {
	want, err := os.ReadFile(digestPath)
	if err != nil {
		t.Fatal(err)
	}
	got := digestFile(func(options string, words []uint32) []verdict { return ours(t, options, words) })
	gotLines, wantLines := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	if len(gotLines) != len(wantLines) {
		t.Fatalf("%s has %d lines, want %d", digestPath, len(wantLines), len(gotLines))
	}
	for i := range gotLines {
		if gotLines[i] != wantLines[i] {
			t.Errorf("differs from objdump; where %s is installed, TestObjdump says in which word\n got %s\nwant %s", objdumpName, gotLines[i], wantLines[i])
		}
	}
}

// TestObjdump compares text and legality of the whole sample, word by word,
// with the objdump installed here.
func TestObjdump(t *testing.T) {
	for _, options := range []string{numeric, noAliases} {
		for _, g := range samples() {
			if testing.Short() && len(g.words) > 50_000 {
				continue // the digests cover it
			}
			got, want := ours(t, options, g.words), expected(t, options, g.words)
			bad := 0
			for i, w := range g.words {
				if got[i] == want[i] {
					continue
				}
				if bad++; bad <= 10 {
					t.Errorf("%s, %s: %0*x: got %q, legal %v; objdump %q, legal %v", g.name, options,
						2*wordLen(w), w, got[i].text, got[i].legal, want[i].text, want[i].legal)
				}
			}
			if bad > 10 {
				t.Errorf("%s, %s: %d of %d words differ", g.name, options, bad, len(g.words))
			}
		}
	}
	if *updateObjdump {
		file := digestFile(func(options string, words []uint32) []verdict { return expected(t, options, words) })
		if err := os.WriteFile(digestPath, file, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestExceptions makes sure that each exception is one: objdump, asked about
// the words themselves, does disagree.
func TestExceptions(t *testing.T) {
	for _, e := range exceptions {
		var words []uint32
		for _, g := range samples() {
			for _, w := range g.words {
				if w&e.mask == e.match && (e.same == nil || e.same(w) != w) {
					words = append(words, w)
				}
			}
		}
		if len(words) == 0 {
			t.Errorf("%s: no word of the sample", e.reason)
			continue
		}
		for i, text := range objdump(t, numeric, words) {
			if legal := text != dataText(words[i]); legal != (e.same == nil) {
				t.Errorf("%s: objdump agrees on %0*x, %q", e.reason, 2*wordLen(words[i]), words[i], text)
				break
			}
		}
	}
}

// Words that announce an instruction longer than 32 bits are illegal for this
// core, which takes 32 of them. objdump prints data of the announced length.
func TestLongEncodings(t *testing.T) {
	table := mustTable(t)
	for rest := uint32(0); rest < 1<<16; rest++ {
		w := rest*0x9e3779b1&^0x1f | 0x1f // spread over the upper bits
		d := table.Decode(w)
		if d.Instr != nil || d.Op != ILLEGAL || d.Len != 4 {
			t.Fatalf("%#x: got %+v, want an illegal instruction of 4 bytes", w, d)
		}
		if got, want := table.Disassemble(0, w), fmt.Sprintf(".4byte\t%#x", w); got != want {
			t.Fatalf("%#x: got %q, want %q", w, got, want)
		}
	}
}

func TestDisassemble(t *testing.T) {
	tests := []struct {
		pc, word   uint32
		want, bare string // with and without aliases
		reason     string
	}{
		{0, 0x00000013, "nop", "addi\tx0,x0,0", ""},
		{0, 0xdead0001, "nop", "c.addi\tx0,0", "the upper half is not part of it"},
		{0x80000010, 0xff1ff06f, "j\t80000000", "jal\tx0,80000000", "backwards"},
		{0x80000000, 0x8082, "ret", "c.jr\tx1", ""},
		{0x10, 0xfe0008e3, "beqz\tx0,0", "beq\tx0,x0,0", "to address 0"},
		{0, 0x80000537, "lui\tx10,0x80000", "lui\tx10,0x80000", "as unsigned 20 bits"},
		{0, 0x7fd5, "lui\tx31,0xffff5", "c.lui\tx31,0xffff5", "a negative one, likewise"},
		{0, 0xb0002573, "csrr\tx10,mcycle", "csrrs\tx10,mcycle,x0", ""},
		{0, 0x7c05d073, "csrw\t0x7c0,11", "csrrwi\tx0,0x7c0,11", "no name; the immediate form prints without its i"},
		{0, 0x0100000f, "fence\tw,unknown", "fence\tw,unknown", "pause, which is a HINT without Zihintpause"},
		{0, 0x0000, "unimp", "c.unimp", "illegal, but has a name"},
		{0, 0xffff8002, ".2byte\t0x8002", ".2byte\t0x8002", "illegal, and has none"},
		{0, 0xfe009013, ".4byte\t0xfe009013", ".4byte\t0xfe009013", "likewise"},
	}
	table := mustTable(t)
	for _, tt := range tests {
		if got := table.Disassemble(tt.pc, tt.word); got != tt.want {
			t.Errorf("%#x: got %q, want %q: %s", tt.word, got, tt.want, tt.reason)
		}
		if got := table.DisassembleNoAliases(tt.pc, tt.word); got != tt.bare {
			t.Errorf("%#x without aliases: got %q, want %q: %s", tt.word, got, tt.bare, tt.reason)
		}
	}
}

func BenchmarkDisassemble(b *testing.B) {
	table := mustTable(b)
	for b.Loop() {
		table.Disassemble(0x80000000, 0xfeb51ae3)
	}
}
