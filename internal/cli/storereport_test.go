package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"socsim/bench"
	"socsim/bench/store"
	"socsim/soc"
)

// storeOf makes a folder with rows of one hash over a few depths of FIFOs, of real runs.
func storeOf(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "rows")
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, depth := range []string{"1", "2", "8"} {
		p := store.Point{Kind: store.Program, Program: "hash", Args: []string{"-in", "64"}, Accel: "shake-fifo", Platform: "default", Settings: []string{"accel.fifo_depth=" + depth}}
		o := bench.Point{Program: "hash.elf", Args: p.Args, Accel: p.Accel, Settings: p.Settings}.Run(context.Background(), nil)
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		if err := s.Put(store.Row{Version: store.Version, ModelVersion: soc.ModelVersion, Point: p, ELFSHA256: o.Result.ELFSHA256, Result: o.Result}); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestStoreReport(t *testing.T) {
	dir := storeOf(t)
	call := func(args ...string) (code int, out, errs string) {
		var o, e bytes.Buffer
		code = Main(args, strings.NewReader(""), &o, &e)
		return code, o.String(), e.String()
	}
	made := filepath.Join(t.TempDir(), "made")
	page, figures, tables := filepath.Join(made, "report.html"), filepath.Join(made, "figures"), filepath.Join(made, "tables")
	code, out, errs := call("report", dir, "-o", page, "--figures", figures, "--tables", tables, "--title", "Depths & more")
	if want := "3 rows: " + page + ", 2 files in " + figures + ", "; code != 0 || !strings.HasPrefix(out, want) || errs != "" {
		t.Fatalf("%d %q %q, want %q", code, out, errs, want)
	}
	for name, want := range map[string]string{
		page: "<title>Depths &amp; more</title>", filepath.Join(figures, "depth-hash-in-64.svg"): "shake-fifo", filepath.Join(figures, "depth-hash-in-64.pdf"): "%PDF",
		filepath.Join(tables, "depth-hash-in-64.md"): "| shake-fifo | 8 |", filepath.Join(tables, "depth-hash-in-64.tex"): "shake-fifo & 8 & ",
	} {
		if text, err := os.ReadFile(name); err != nil || !bytes.Contains(text, []byte(want)) {
			t.Errorf("%s: %v, want %s in it", name, err, want)
		}
	}
	_, again, _ := call("report", dir, "-o", "-", "--title", "Depths & more")
	if first, _ := os.ReadFile(page); again != string(first) {
		t.Error("standard output gets another report than the file")
	}
	empty := t.TempDir()
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{dir}, exitUsage, "nothing to write; give -o FILE"},
		{[]string{"-o", page}, exitUsage, "want one folder of rows, not 0"},
		{[]string{dir, dir, "-o", page}, exitUsage, "not 2"},
		{[]string{dir, "-o", ""}, exitUsage, `--output "" is empty`},
		{[]string{filepath.Join(empty, "none"), "-o", page}, exitInput, "no such file"},
		{[]string{page, "-o", page}, exitInput, "a file; want the folder"},
		{[]string{empty, "-o", page}, exitInput, "no rows in it; socsim bench makes them"},
		{[]string{dir, "-o", filepath.Join(page, "x")}, exitInput, "not a directory"},
		{[]string{dir, "--figures", page}, exitInput, "not a directory"},
	} {
		code, out, errs := call(append([]string{"report"}, tt.args...)...)
		if code != tt.code || out != "" || !strings.Contains(errs, tt.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("report %v: %d %q %q, want %d %s", tt.args, code, out, errs, tt.code, tt.want)
		}
	}
	if _, err := os.Stat(filepath.Join(empty, "none")); err == nil {
		t.Error("a folder that was not there was made")
	}
}
