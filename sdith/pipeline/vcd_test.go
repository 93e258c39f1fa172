package pipeline

import (
	"bufio"
	"fmt"
	"strings"
	"testing"

	"socsim/sdith"
)

// A dump has times that grow, wires that change, and each busy for as long as it was.
func TestVCD(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	c := configOf(sdith.Cat1Fast, false)
	m := newTestMachine(t, c)
	var out strings.Builder
	v := NewVCD(&out, m)
	m.Trace(v)
	r := signed(t, m, job(t, c.Set, 0))
	if err := v.Close(r.Cycles); err != nil {
		t.Fatal(err)
	}

	names, value, since, busy := map[string]string{}, map[string]byte{}, map[string]int64{}, map[string]int64{}
	scope, now := []string{}, int64(-1)
	lines := bufio.NewScanner(strings.NewReader(out.String()))
	for lines.Scan() {
		line := lines.Text()
		words := strings.Fields(line)
		switch {
		case words[0] == "$scope":
			scope = append(scope, words[2])
		case words[0] == "$upscope":
			scope = scope[:len(scope)-1]
		case words[0] == "$var":
			names[words[3]] = strings.Join(scope[1:], ".") + "." + words[4]
		case line[0] == '#':
			var at int64
			fmt.Sscanf(line, "#%d", &at)
			if at < now || at == now && now > 0 {
				t.Fatalf("time %d after %d", at, now)
			}
			now = at
		case line[0] == '0' || line[0] == '1':
			id := line[1:]
			if names[id] == "" {
				t.Fatalf("wire %q is not declared", id)
			}
			if was, known := value[id]; known && was == line[0] {
				t.Fatalf("%s becomes %c at %d, which it is", names[id], line[0], now)
			}
			if line[0] == '0' && value[id] == '1' {
				busy[names[id]] += now - since[id]
			}
			value[id], since[id] = line[0], now
		}
	}
	for id, v := range value {
		if v != '0' {
			t.Errorf("%s is busy at the end", names[id])
		}
	}
	want := map[string]int64{}
	for _, p := range r.Phases {
		for _, u := range p.Units {
			want["units."+strings.ReplaceAll(u.Name, " ", "_")] += u.Busy
		}
		for _, m := range p.Memories {
			want["memories."+strings.ReplaceAll(m.Name, " ", "_")+"_read"] += m.Reading
			want["memories."+strings.ReplaceAll(m.Name, " ", "_")+"_write"] += m.Writing
		}
	}
	for name, n := range want {
		if busy[name] != n {
			t.Errorf("%s: busy for %d cycles, want %d", name, busy[name], n)
		}
	}
	phases := int64(0)
	for _, name := range phaseNames {
		if busy["phases."+name] == 0 {
			t.Errorf("phase %s is never on", name)
		}
		phases += busy["phases."+name]
	}
	if phases != r.Cycles {
		t.Errorf("phases are on for %d cycles of %d", phases, r.Cycles)
	}
}
