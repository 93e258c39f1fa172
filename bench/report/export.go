package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// WriteTables writes every table into a folder, as Markdown and as LaTeX. It returns the
// names of the files.
func (r *Report) WriteTables(dir string) (names []string, err error) {
	for _, t := range r.Tables() {
		for _, form := range []struct {
			extension string
			write     func() string
		}{{".md", t.Markdown}, {".tex", t.LaTeX}} {
			name := t.Name + form.extension
			if err := WriteFile(filepath.Join(dir, name), []byte(form.write())); err != nil {
				return names, err
			}
			names = append(names, name)
		}
	}
	return names, nil
}

// WriteFile writes a file whole or not at all, and the folder it is in.
func WriteFile(name string, data []byte) error {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	for _, step := range []func() error{func() error { return f.Chmod(0o644) }, f.Close} {
		if failed := step(); err == nil {
			err = failed
		}
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

var markdown = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "#", `\#`, "~", `\~`, "$", `\$`,
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "\n", " ")

// Markdown is the table as GitHub has them, with its caption above.
func (t *Table) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n|", markdown.Replace(t.Caption))
	for _, c := range t.Columns {
		fmt.Fprintf(&b, " %s |", markdown.Replace(c.Name))
	}
	b.WriteString("\n|")
	for _, c := range t.Columns {
		if c.Number {
			b.WriteString("--:|")
		} else {
			b.WriteString(":--|")
		}
	}
	b.WriteString("\n")
	for _, r := range t.Rows {
		b.WriteString("|")
		for _, c := range r {
			fmt.Fprintf(&b, " %s |", markdown.Replace(c.Text))
		}
		b.WriteString("\n")
	}
	return b.String()
}

var latex = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`, "_", `\_`,
	"^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`,
	"×", `$\times$`, "µ", `\textmu{}`, "…", `\ldots{}`, "\uFFFD", "?", "\n", " ")

// LaTeX is the table as a longtable with the rules of booktabs, with a caption and a label
// to refer to.
func (t *Table) LaTeX() string {
	var b strings.Builder
	align := ""
	var head []string
	for _, c := range t.Columns {
		if c.Number {
			align += "r"
		} else {
			align += "l"
		}
		head = append(head, latex.Replace(c.Name))
	}
	title := strings.Join(head, " & ") + ` \\`
	fmt.Fprintf(&b, "%% needs \\usepackage{booktabs,longtable}\n\\begin{longtable}{@{}%s@{}}\n\\caption{%s}\\label{tab:%s}\\\\\n\\toprule\n%s\n\\midrule\n\\endfirsthead\n", align, latex.Replace(t.Caption), t.Name, title)
	fmt.Fprintf(&b, "\\toprule\n%s\n\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n", title)
	for _, r := range t.Rows {
		var cells []string
		for _, c := range r {
			cells = append(cells, latex.Replace(c.Text))
		}
		b.WriteString(strings.Join(cells, " & ") + ` \\` + "\n")
	}
	b.WriteString("\\end{longtable}\n")
	return b.String()
}
