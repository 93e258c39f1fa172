package energy

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"socsim/internal/nearest"
)

//go:embed *.toml
var builtin embed.FS

// DefaultTable is the built-in table that is meant if none is named.
const DefaultTable = "65nm"

// Tables returns the names of the built-in tables.
func Tables() (names []string) {
	files, err := fs.Glob(builtin, "*.toml")
	if err != nil {
		panic("BUG: energy: " + err.Error())
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f, ".toml"))
	}
	return names
}

// Coefficient is a number of a table, and what is known of it.
type Coefficient struct {
	Value   float64 `toml:"value" json:"value"`
	Low     float64 `toml:"low" json:"low"`   // the interval in which
	High    float64 `toml:"high" json:"high"` // ... the true value is thought to be
	Unit    string  `toml:"unit" json:"unit"`
	Source  string  `toml:"source" json:"source,omitempty"`
	Assumed string  `toml:"assumed" json:"assumed,omitempty"` // what of it has no source
}

// Coefficients are a table. Load makes one.
type Coefficients struct {
	Name   string
	Node   string                 // technology
	Text   string                 // the file
	Values map[string]Coefficient // by key: core.active; all of Keys, and no others
}

// Keys returns the keys of all coefficients there are, sorted.
func Keys() []string { return slices.Clone(keys) }

// Load returns the built-in table of that name, or reads a file. A table has every
// coefficient, with a unit, an interval around its value, and a source or what is assumed.
func Load(name string) (Coefficients, error) {
	text, err := builtin.ReadFile(name + ".toml")
	if err != nil {
		if text, err = os.ReadFile(name); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return Coefficients{}, fmt.Errorf("energy table %s: no such file, and built in are %s%s", name, strings.Join(Tables(), ", "), nearest.Hint(name, Tables()))
			}
			var p *fs.PathError
			if errors.As(err, &p) {
				err = p.Err
			}
			return Coefficients{}, fmt.Errorf("energy table %s: %w", name, err)
		}
	}
	c, err := Parse(text)
	if err != nil {
		return Coefficients{}, fmt.Errorf("energy table %s: %w", name, err)
	}
	if c.Name == "" {
		c.Name = strings.TrimSuffix(path.Base(name), ".toml")
	}
	return c, nil
}

// Parse reads a table.
func Parse(text []byte) (Coefficients, error) {
	var file map[string]any
	if err := toml.Unmarshal(text, &file); err != nil {
		var bad *toml.DecodeError
		if errors.As(err, &bad) {
			line, _ := bad.Position()
			return Coefficients{}, fmt.Errorf("line %d: %s", line, strings.TrimPrefix(bad.Error(), "toml: "))
		}
		return Coefficients{}, err
	}
	c := Coefficients{Text: string(text), Values: map[string]Coefficient{}}
	for _, field := range []struct {
		key string
		to  *string
	}{{"name", &c.Name}, {"node", &c.Node}} {
		if v, ok := file[field.key]; ok {
			if *field.to, ok = v.(string); !ok {
				return Coefficients{}, fmt.Errorf("%s must be a text", field.key)
			}
			delete(file, field.key)
		}
	}
	if c.Node == "" {
		return Coefficients{}, fmt.Errorf("node is missing: say for which technology the coefficients are")
	}
	for _, group := range sorted(file) {
		entries, ok := file[group].(map[string]any)
		if !ok {
			return Coefficients{}, fmt.Errorf("%s: a table has name, node, and coefficients as [core.active]", group)
		}
		for _, entry := range sorted(entries) {
			key := group + "." + entry
			v, err := coefficient(key, entries[entry])
			if want := units()[key]; err == nil && v.Unit != want {
				err = fmt.Errorf("unit %q, want %q", v.Unit, want)
			}
			if err != nil {
				return Coefficients{}, fmt.Errorf("%s: %w", key, err)
			}
			c.Values[key] = v
		}
	}
	for _, key := range keys {
		if _, ok := c.Values[key]; !ok {
			return Coefficients{}, fmt.Errorf("%s is missing", key)
		}
	}
	return c, nil
}

// units are what the estimate takes coefficients in: those of the built-in table.
var units = sync.OnceValue(func() map[string]string {
	text, err := builtin.ReadFile(DefaultTable + ".toml")
	var file map[string]any
	if err == nil {
		err = toml.Unmarshal(text, &file)
	}
	if err != nil {
		panic("BUG: energy: " + err.Error())
	}
	of := map[string]string{}
	for group, entries := range file {
		if entries, ok := entries.(map[string]any); ok {
			for entry, v := range entries {
				of[group+"."+entry], _ = v.(map[string]any)["unit"].(string)
			}
		}
	}
	return of
})

// coefficient reads an entry.
func coefficient(key string, v any) (c Coefficient, err error) {
	if !slices.Contains(keys, key) {
		return c, fmt.Errorf("there is no such coefficient%s", nearest.Hint(key, keys))
	}
	entry, ok := v.(map[string]any)
	if !ok {
		return c, fmt.Errorf("it must be a table of value, low, high, unit, and source or assumed")
	}
	for _, name := range []string{"value", "low", "high"} {
		switch entry[name].(type) {
		case float64, int64:
		case nil:
			return c, fmt.Errorf("%s is missing; an interval of one point has low and high of the value", name)
		default:
			return c, fmt.Errorf("%s must be a number", name)
		}
	}
	// Again as a struct, which refuses other names and types.
	text, err := toml.Marshal(entry)
	if err != nil {
		return c, err
	}
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&c); err != nil {
		for _, name := range sorted(entry) {
			if known := []string{"value", "low", "high", "unit", "source", "assumed"}; !slices.Contains(known, name) {
				return c, fmt.Errorf("%s: a coefficient has no such field%s", name, nearest.Hint(name, known))
			}
		}
		return c, fmt.Errorf("unit, source and assumed must be texts")
	}
	return c, c.check()
}

// most is what a coefficient has at most: a millijoule an event, so that no estimate is
// infinite.
const most = 1e9

func (c Coefficient) check() error {
	for _, v := range []float64{c.Value, c.Low, c.High} {
		if math.IsNaN(v) || v < 0 || v > most {
			return fmt.Errorf("%v is no number from 0 to %v", v, most)
		}
	}
	switch {
	case c.Low > c.Value || c.Value > c.High:
		return fmt.Errorf("the value %v is not in its interval, %v to %v", c.Value, c.Low, c.High)
	case c.Unit == "":
		return fmt.Errorf("unit is missing")
	case strings.TrimSpace(c.Source+c.Assumed) == "":
		return fmt.Errorf("it has neither source nor assumed: say where %v comes from, or what is assumed", c.Value)
	}
	return nil
}

func sorted(m map[string]any) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
