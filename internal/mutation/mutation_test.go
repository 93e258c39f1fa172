// Package mutation holds faults to put into the project, one at a time, each of which
// the tests must notice: a constant off by a cycle, a word absorbed late, a register
// that is not saved. So the tests are known to be able to fail, and where.
//
// A fault is a row of the table in table_test.go. It is put in by go test -overlay,
// which compiles a changed copy of one file in place of it: nothing in the project is
// written to. A fault of the firmware is an instruction changed in the committed ELF
// file, which needs no cross compiler.
//
// There is no program here, only tests.
package mutation

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"socsim/rv32"
)

var long = flag.Bool("long", false, "put every fault in and run the tests that must notice it")

// root is the project's folder, seen from here.
const root = "../.."

// encodings are the instructions that a mutation may put in, for one of four bytes.
var encodings = map[string]uint32{"nop": 0x00000013}

// apply returns the contents of a file with the fault in it.
func (m *mutation) apply(contents []byte) ([]byte, error) {
	if m.symbol != "" {
		return m.applyELF(contents)
	}
	if n := bytes.Count(contents, []byte(m.text)); n != 1 {
		return nil, fmt.Errorf("%s has %q %d times, want it once: the row is stale", m.file, m.text, n)
	}
	return bytes.Replace(contents, []byte(m.text), []byte(m.replacement), 1), nil
}

// applyELF changes an instruction of a function. A function in pieces is all of them:
// it ends where the next symbol begins.
func (m *mutation) applyELF(contents []byte) ([]byte, error) {
	word, ok := encodings[m.replacement]
	if !ok {
		return nil, fmt.Errorf("no encoding of %q is known: add it to encodings", m.replacement)
	}
	f, err := elf.NewFile(bytes.NewReader(contents))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.file, err)
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.file, err)
	}
	i := slices.IndexFunc(symbols, func(s elf.Symbol) bool { return s.Name == m.symbol })
	if i < 0 {
		return nil, fmt.Errorf("%s has no symbol %s", m.file, m.symbol)
	}
	from, to := symbols[i].Value, uint64(1<<32)
	for _, s := range symbols {
		if s.Value > from && s.Value < to && elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			to = s.Value
		}
	}
	table, err := rv32.NewTable(nil)
	if err != nil {
		return nil, err
	}
	var places []uint64 // in the file
	for _, s := range f.Sections {
		if s.Type != elf.SHT_PROGBITS || s.Flags&elf.SHF_EXECINSTR == 0 {
			continue
		}
		for at := max(s.Addr, from); at+4 <= min(s.Addr+s.Size, to); {
			offset := s.Offset + at - s.Addr
			word := binary.LittleEndian.Uint32(contents[offset:])
			length := table.Decode(word).Len
			if length == 4 && strings.ReplaceAll(table.Disassemble(uint32(at), word), "\t", " ") == m.text {
				places = append(places, offset)
			}
			at += uint64(length)
		}
	}
	if len(places) != 1 {
		return nil, fmt.Errorf("%s has %q %d times in %s, want it once: the row is stale", m.file, m.text, len(places), m.symbol)
	}
	changed := slices.Clone(contents)
	binary.LittleEndian.PutUint32(changed[places[0]:], word)
	return changed, nil
}

// goTest runs tests of a package and returns what go test printed.
func goTest(pkg string, tests []string, more ...string) (string, error) {
	args := append([]string{"test", "-short", "-vet=off", "-timeout=2m", "-v", "-run", "^(" + strings.Join(tests, "|") + ")$"}, more...)
	c := exec.Command("go", append(args, "./"+pkg)...)
	c.Dir = root
	out, err := c.CombinedOutput()
	return string(out), err
}

// verdicts returns how tests ended: PASS, FAIL or SKIP, by name.
func verdicts(printed string) map[string]string {
	v := map[string]string{}
	for _, line := range regexp.MustCompile(`(?m)^--- (PASS|FAIL|SKIP): (\w+) `).FindAllStringSubmatch(printed, -1) {
		v[line[2]] = line[1]
	}
	return v
}

// Every row still fits the sources, whatever the flags.
func TestRows(t *testing.T) {
	if len(mutations) < 10 {
		t.Errorf("%d mutations, want 10 at least", len(mutations))
	}
	for _, m := range mutations {
		contents, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(m.file)))
		if err != nil {
			t.Fatal(err)
		}
		changed, err := m.apply(contents)
		if err != nil {
			t.Errorf("%s: %v", m.what, err)
		} else if bytes.Equal(changed, contents) {
			t.Errorf("%s: the replacement is what was there", m.what)
		}
		tests := source(t, m.pkg)
		for _, name := range m.caught {
			if !strings.Contains(tests, "\nfunc "+name+"(t *testing.T)") {
				t.Errorf("%s: %s has no test %s", m.what, m.pkg, name)
			}
		}
		if len(m.caught) == 0 {
			t.Errorf("%s: no test is named", m.what)
		}
	}
}

// source returns the tests of a package.
func source(t *testing.T, pkg string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pkg), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(b)
	}
	return text.String()
}

// Without a fault the tests pass, and they do run.
func TestUnchanged(t *testing.T) {
	if !*long {
		t.Skip("runs tests of other packages; -long does")
	}
	tests := map[string][]string{}
	for _, m := range mutations {
		for _, name := range m.caught {
			if !slices.Contains(tests[m.pkg], name) {
				tests[m.pkg] = append(tests[m.pkg], name)
			}
		}
	}
	for pkg, names := range tests {
		t.Run(pkg, func(t *testing.T) {
			t.Parallel()
			printed, err := goTest(pkg, names)
			v := verdicts(printed)
			for _, name := range names {
				if v[name] != "PASS" {
					t.Errorf("%s does not pass without a fault: %s\n%s", name, v[name], printed)
				}
			}
			if err != nil {
				t.Errorf("go test: %v", err)
			}
		})
	}
}

// With a fault each of the tests fails that must notice it.
func TestCaught(t *testing.T) {
	if !*long {
		t.Skip("compiles and runs other packages for each fault; -long does")
	}
	for _, m := range mutations {
		t.Run(m.what, func(t *testing.T) {
			t.Parallel()
			path, err := filepath.Abs(filepath.Join(root, filepath.FromSlash(m.file)))
			if err != nil {
				t.Fatal(err)
			}
			contents, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			changed, err := m.apply(contents)
			if err != nil {
				t.Fatal(err)
			}
			folder := t.TempDir()
			copied, overlay := filepath.Join(folder, filepath.Base(path)), filepath.Join(folder, "overlay.json")
			list, err := json.Marshal(map[string]any{"Replace": map[string]string{path: copied}})
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string][]byte{copied: changed, overlay: list} {
				if err := os.WriteFile(name, text, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			printed, err := goTest(m.pkg, m.caught, "-overlay="+overlay)
			v := verdicts(printed)
			for _, name := range m.caught {
				switch v[name] {
				case "FAIL":
				case "PASS":
					t.Errorf("%s does not notice it", name)
				default: // as if the fault does not compile
					t.Errorf("%s does not come to an end: %v\n%.2000s", name, err, printed)
				}
			}
		})
	}
}

// TestMain opens every file of the project: go test repeats what it has cached unless
// a file changed that the test opened, and those above depend on all of them.
func TestMain(m *testing.M) {
	flag.Parse()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !*long:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root:
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		return f.Close()
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
