package firmware_test

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"socsim/soc"
)

// build makes programs in a copy of the sources, with the template under another name,
// and returns them.
func build(t *testing.T, place string, programs ...string) (files [][]byte) {
	t.Helper()
	root := filepath.Join(t.TempDir(), filepath.FromSlash(place))
	for from, to := range map[string]string{"hal": "hal", "hash": "hash", "sphincs": "sphincs", "template": "mine"} {
		if err := os.CopyFS(filepath.Join(root, to), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	makefile, err := os.ReadFile("Makefile")
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "Makefile"), makefile, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("make", append([]string{"-C", root}, programs...)...).CombinedOutput(); err != nil {
		t.Fatalf("make %s: %v\n%s", strings.Join(programs, " "), err, out)
	}
	for _, p := range programs {
		b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p)))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(b, []byte(root)) {
			t.Errorf("%s holds the path of its folder", p)
		}
		files = append(files, b)
	}
	return files
}

// What README.md says under "Write your own driver" works: a copy of template/ is
// compiled, from anywhere to the same bytes, and programs use it, and get what the
// host reference gets; their cycles are booked by its sections.
func TestTemplate(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, tool := range []string{"make", "riscv64-unknown-elf-gcc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the template is not built: %v; README.md names the packages", err)
		}
	}
	programs := []string{"mine/hash.elf", "mine/sphincs.elf"}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if line := "\nmake -C firmware " + strings.Join(programs, " ") + "\n"; !bytes.Contains(readme, []byte(line)) {
		t.Errorf("README.md has no line %q", line)
	}
	files := build(t, "a", programs...)
	for i, b := range build(t, "another/place", programs...) {
		if !bytes.Equal(b, files[i]) {
			t.Errorf("%s depends on the folder it is built in", programs[i])
		}
		f, err := elf.NewFile(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		symbols, err := f.Symbols()
		if err != nil || !slices.ContainsFunc(symbols, func(s elf.Symbol) bool { return s.Name == "xof_own" && s.Value != 0 }) {
			t.Errorf("%s has no driver xof_own: %v", programs[i], err)
		}
	}
	for _, o := range []soc.Options{
		{Name: "hash.elf", ELF: files[0], Accel: "shake-fifo", Args: []string{"-in", "200", "-out", "64"}},
		{Name: "hash.elf", ELF: files[0], Accel: "ascon8-lsu", Args: []string{"-in", "37", "-out", "21", "-k", "3"}},
		{Name: "hash.elf", ELF: files[0], Accel: "shake12-fifo", Args: []string{"-in", "1001", "-out", "999", "-mode", "shake128"}},
		{Name: "sphincs.elf", ELF: files[1], Accel: "ascon128-fifo", Args: []string{"-op", "keygen", "-nodigest"}},
		{Name: "sphincs.elf", ELF: files[1], Accel: "shake-fifo", Args: []string{"-p", "192f", "-op", "keygen", "-nodigest"}},
	} {
		r := start(t, o, nil)
		if err := r.right(); err != nil {
			t.Errorf("%s on %s: %v", o.Name, o.Accel, err)
			continue
		}
		// A word that a register access moves over apb takes 4 cycles, or 3; at the
		// load/store unit 1.
		in, out := uint64(4), uint64(3)
		if strings.HasSuffix(o.Accel, "-lsu") {
			in, out = 1, 1
		}
		for _, g := range r.Regions {
			l := g.Ledger
			if l.MoveIn+l.WaitIn < in*g.Accel.WordsIn || l.MoveOut+l.WaitOut < out*g.Accel.WordsOut || l.Control == 0 || l.MoveIn == 0 || l.MoveOut == 0 {
				t.Errorf("%s on %s: %+v for %d words in and %d out", o.Name, o.Accel, l, g.Accel.WordsIn, g.Accel.WordsOut)
			}
		}
	}

	// Without a unit that it serves the program goes on with the built-in drivers.
	if r := start(t, soc.Options{Name: "hash.elf", ELF: files[0], Accel: "none", Hash: "ascon"}, nil); r.right() != nil {
		t.Error(r.right())
	}
}
