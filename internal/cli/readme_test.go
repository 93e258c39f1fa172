package cli

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what the commands of README.md print, and golden files, anew")

// block is a fenced block of the README: its language and its lines, which are
// lines from up to, not with, to.
type block struct {
	language string
	from, to int
}

func blocks(lines []string) (list []block) {
	open := -1
	for i, l := range lines {
		language, fence := strings.CutPrefix(l, "```")
		switch {
		case !fence:
		case open < 0:
			open = i
			list = append(list, block{language: language, from: i + 1})
		default:
			list[len(list)-1].to = i
			open = -1
		}
	}
	return list
}

// socsimArgs returns the arguments of a command line that runs this program.
func socsimArgs(line string) (args []string, ok bool) {
	for _, prefix := range []string{"go run . ", "socsim "} {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			return strings.Fields(rest), true
		}
	}
	return nil, false
}

// run runs a command line and returns what a terminal would show.
func runLine(t *testing.T, line string) string {
	args, ok := socsimArgs(line)
	if !ok {
		t.Fatalf("%q does not run socsim", line)
	}
	var out bytes.Buffer
	if code := Main(args, strings.NewReader(""), &out, &out); code != 0 {
		t.Fatalf("%s: exit code %d\n%s", line, code, out.String())
	}
	return out.String()
}

// fillsStore are commands that write below the folder they are run in.
var fillsStore = []string{"bench", "sweep"}

// TestREADME runs every command in README.md and the pages of docs. Blocks of language
// console hold a command behind "$ " and all that it prints; -update writes it anew.
// Blocks of language sh hold commands that must work; those that are not socsim's, and
// those that take long, stand word for word in a script of .ci, which runs them. What
// fills a store does so in a folder of the test, in which docs is the project's.
func TestREADME(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	scratch := t.TempDir()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "docs"), filepath.Join(scratch, "docs")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	scripts, err := filepath.Glob(filepath.Join(".ci", "*"))
	if err != nil {
		t.Fatal(err)
	}
	d := documents{scratch: scratch, root: root, done: map[string]bool{}}
	for _, name := range scripts {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d.ci += string(text)
		for line := range strings.Lines(string(text)) {
			d.done[strings.TrimSpace(line)] = true
		}
	}
	pages, err := filepath.Glob(filepath.Join("docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(pages, "README.md") {
		commands := d.check(t, name)
		if name == "README.md" && commands < 5 {
			t.Errorf("README.md has %d commands; are its blocks marked console or sh?", commands)
		}
	}
}

// documents are pages with commands.
type documents struct {
	root, scratch string
	ci            string          // scripts that CI runs
	done          map[string]bool // lines of them, and commands that were run
}

// check runs the commands of a page, and returns how many there are.
func (d *documents) check(t *testing.T, name string) (commands int) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	var out []string
	done := 0
	for _, b := range blocks(lines) {
		out = append(out, lines[done:b.from]...)
		body := lines[b.from:b.to]
		switch b.language {
		case "console":
			command, ok := strings.CutPrefix(body[0], "$ ")
			if !ok {
				t.Fatalf("%s:%d: want a command behind $", name, b.from+1)
			}
			printed := strings.TrimSuffix(d.run(t, command), "\n")
			fresh := append([]string{body[0]}, strings.Split(printed, "\n")...)
			if diff := cmp.Diff(strings.Join(fresh, "\n"), strings.Join(body, "\n")); diff != "" && !*update {
				t.Errorf("%s:%d: %s prints something else; go test ./internal/cli -run TestREADME -update writes it anew\n%s", name, b.from+1, command, diff)
			}
			body = fresh
			commands++
		case "sh":
			for i, line := range body {
				if line == "" || strings.HasPrefix(line, "#") {
					continue
				}
				commands++
				_, ok := socsimArgs(line)
				switch {
				case !ok && !strings.Contains(d.ci, line):
					t.Errorf("%s:%d: no script of .ci runs %q", name, b.from+1+i, line)
				case ok && !d.done[line] && !testing.Short():
					d.done[line] = true
					d.run(t, line)
				}
			}
		}
		out = append(out, body...)
		done = b.to
	}
	out = append(out, lines[done:]...)
	if *update {
		if err := os.WriteFile(name, []byte(strings.Join(out, "\n")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return commands
}

// run is runLine, elsewhere if need be.
func (d *documents) run(t *testing.T, line string) string {
	if args, _ := socsimArgs(line); len(args) > 0 && slices.Contains(fillsStore, args[0]) {
		t.Chdir(d.scratch)
		defer t.Chdir(d.root)
	}
	return runLine(t, line)
}

// The table of exit codes in README.md is the one in the help text.
func TestREADMEExitCodes(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want := exitMarkdown(); !strings.Contains(string(text), want) {
		t.Errorf("README.md lacks this table of exit codes:\n%s", want)
	}
}

func exitMarkdown() string {
	b := "| code | meaning |\n|---|---|\n"
	for _, r := range exitRows() {
		b += "| " + r[0] + " | " + r[1] + " |\n"
	}
	return b
}

// The arrows at the end of README.md are the imports there are.
func TestREADMEImports(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "    ") && strings.Contains(line, " -> ") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	const module = "socsim/"
	list := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		var ours []string
		for _, f := range fields[1:] {
			if name, ok := strings.CutPrefix(f, module); ok {
				ours = append(ours, name)
			}
		}
		if len(ours) > 0 {
			want = append(want, strings.TrimPrefix(fields[0], module)+" -> "+strings.Join(ours, ", "))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("imports (-) and README.md (+):\n%s", diff)
	}
}
