package cli

import (
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"socsim/firmware"
	"socsim/soc/elf"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"socsim": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// Scripts run as in an empty folder, where firmware is the built-in one.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			e.Setenv("ROOT", root)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": status, "elf": makeELF, "badhash": badHash, "oneline": oneLineCommand,
		},
		UpdateScripts: *update,
	})
}

// status CODE PROGRAM ARGS: the program must end with that exit code.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE PROGRAM ARGS")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// oneline: what the last command printed on stderr is one line.
func oneLineCommand(ts *testscript.TestScript, neg bool, args []string) {
	if text := ts.ReadFile("stderr"); neg || strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "socsim: ") {
		ts.Fatalf("stderr is not one line of socsim:\n%s", text)
	}
}

// elf FILE WORD...: a program of these instructions.
func makeELF(ts *testscript.TestScript, neg bool, args []string) {
	var words []uint32
	for _, a := range args[1:] {
		w, err := strconv.ParseUint(a, 0, 32)
		ts.Check(err)
		words = append(words, uint32(w))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), smallELF(words...), 0o666))
}

// smallELF is a program of these instructions at the start of RAM, the smallest
// that loads.
func smallELF(words ...uint32) []byte {
	const base, header, program = 0x8000_0000, 52, 32
	code := []byte{}
	for _, w := range words {
		code = binary.LittleEndian.AppendUint32(code, w)
	}
	le := binary.LittleEndian
	b := make([]byte, header+program)
	copy(b, "\x7fELF\x01\x01\x01")
	le.PutUint16(b[16:], 2)   // executable
	le.PutUint16(b[18:], 243) // RISC-V
	le.PutUint32(b[20:], 1)
	le.PutUint32(b[24:], base)   // entry
	le.PutUint32(b[28:], header) // program headers
	le.PutUint16(b[40:], header)
	le.PutUint16(b[42:], program)
	le.PutUint16(b[44:], 1)
	p := b[header:]
	le.PutUint32(p[0:], 1) // PT_LOAD
	le.PutUint32(p[4:], header+program)
	le.PutUint32(p[8:], base)
	le.PutUint32(p[12:], base)
	le.PutUint32(p[16:], uint32(len(code)))
	le.PutUint32(p[20:], uint32(len(code)))
	le.PutUint32(p[24:], 7)
	return append(b, code...)
}

// badhash FILE: the built-in hash program with a mistake in its permutation,
// an or in place of the first exclusive or.
func badHash(ts *testscript.TestScript, neg bool, args []string) {
	const function = "keccak_p1600"
	data, err := firmware.ELF(hashProgram)
	ts.Check(err)
	f, err := elf.Parse(hashProgram, data)
	ts.Check(err)
	s, ok := f.Lookup(function)
	if !ok {
		ts.Fatalf("%s has no function %s", hashProgram, function)
	}
	code := f.Segments[0]
	for _, seg := range f.Segments {
		if s.Addr-seg.Addr < uint32(len(seg.Data)) {
			code = seg
		}
	}
	const (
		mask, xor = 0xfe00_707f, 0x0000_4033 // xor rd, rs1, rs2
		or        = 0x0000_6033
	)
	bad := append([]byte{}, data...)
	at := strings.Index(string(bad), string(code.Data)) + int(s.Addr-code.Addr)
	for end := at + int(s.Size) - 4; at <= end; at += 2 {
		if w := binary.LittleEndian.Uint32(bad[at:]); w&mask == xor {
			binary.LittleEndian.PutUint32(bad[at:], w&^mask|or)
			ts.Check(os.WriteFile(ts.MkAbs(args[0]), bad, 0o666))
			return
		}
	}
	ts.Fatalf("no xor in %s", function)
}
