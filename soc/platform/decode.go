package platform

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"socsim/internal/nearest"
)

// decode fills p from TOML and notes the line of every key.
func (p *Platform) decode(text []byte) error {
	dec := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields()
	err := dec.Decode(p)
	var strict *toml.StrictMissingError
	var bad *toml.DecodeError
	switch {
	case errors.As(err, &strict) && len(strict.Errors) > 0:
		e := &strict.Errors[0]
		line, _ := e.Position()
		key := strings.Join(e.Key(), ".")
		return fmt.Errorf("%s:%d: unknown key %s%s", p.source, line, key, nearest.Hint(key, fileKeys()))
	case errors.As(err, &bad):
		line, _ := bad.Position()
		where := fmt.Sprintf("%s:%d: ", p.source, line)
		if key := strings.Join(bad.Key(), "."); key != "" {
			where += key + ": "
		}
		return errors.New(where + plain(bad.Error()))
	case err != nil:
		return fmt.Errorf("%s: %s", p.source, plain(err.Error()))
	}
	p.lines = keyLines(text)
	return nil
}

var wrongType = regexp.MustCompile(`^cannot decode TOML ([a-z -]+) into .* of type (\S+)`)

// plain words a message of the TOML library without Go's type names.
func plain(msg string) string {
	msg = strings.TrimPrefix(msg, "toml: ")
	if m := wrongType.FindStringSubmatch(msg); m != nil {
		want := "a table"
		switch t := m[2]; {
		case strings.HasPrefix(t, "uint"):
			want = "a number"
		case t == "string":
			want = "a string"
		}
		return "is of type " + m[1] + ", must be " + want
	}
	msg = strings.ReplaceAll(msg, "cannot be stored in uint32", "does not fit in 32 bits")
	msg = strings.ReplaceAll(msg, "cannot be stored in uint64", "does not fit in 64 bits")
	return strings.ReplaceAll(msg, "\n", " ")
}

// keyLines maps each key of a document that decoded without error to its
// line. Elements of arrays are numbered: device.0.base.
func keyLines(text []byte) map[string]int {
	lines := map[string]int{}
	count := map[string]int{}
	var p unstable.Parser
	p.Reset(text)
	prefix := ""
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			prefix, _ = dotted(&p, e, "")
		case unstable.ArrayTable:
			name, line := dotted(&p, e, "")
			prefix = fmt.Sprintf("%s.%d", name, count[name])
			count[name]++
			lines[prefix] = line
		case unstable.KeyValue:
			note(&p, e, prefix, lines)
		}
	}
	return lines
}

// note records a key and what is nested in its value.
func note(p *unstable.Parser, e *unstable.Node, prefix string, lines map[string]int) {
	key, line := dotted(p, e, prefix)
	lines[key] = line
	nested(p, e.Value(), key, line, lines)
}

func nested(p *unstable.Parser, v *unstable.Node, key string, line int, lines map[string]int) {
	switch v.Kind {
	case unstable.InlineTable:
		for it := v.Children(); it.Next(); {
			note(p, it.Node(), key, lines)
		}
	case unstable.Array:
		n := 0
		for it := v.Children(); it.Next(); {
			if it.Node().Kind == unstable.Comment {
				continue
			}
			element := fmt.Sprintf("%s.%d", key, n)
			nested(p, it.Node(), element, line, lines)
			if lines[element+".name"] != 0 {
				line = lines[element+".name"]
			}
			lines[element] = line
			n++
		}
	}
}

// dotted returns the full name of the key of e and its line.
func dotted(p *unstable.Parser, e *unstable.Node, prefix string) (string, int) {
	parts, line := []string{}, 0
	if prefix != "" {
		parts = append(parts, prefix)
	}
	for it := e.Key(); it.Next(); {
		parts = append(parts, string(it.Node().Data))
		line = p.Shape(it.Node().Raw).Start.Line
	}
	return strings.Join(parts, "."), line
}
