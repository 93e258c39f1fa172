package bus

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"socsim/clock"
)

// slow answers with waits of its own, as a full or empty FIFO would.
type slow struct {
	grant, answer clock.Cycle
	cause         Cause
	fault         *Fault
}

func (s *slow) Access(r Request) Response {
	g := r.At + s.grant
	a := Response{Grant: g, Valid: g + 1 + s.answer, Fault: s.fault}
	if s.cause != NotHeld {
		a.Cause, a.HeldFrom, a.HeldTo = s.cause, r.At, r.At+s.grant
	}
	return a
}

// times are the cycles of one transaction as its initiator sees them.
type times struct{ At, Grant, Valid clock.Cycle }

// The waits of a path, worked out by hand: requests are issued in the
// cycles at, alternately load and store when mixed.
func TestHopTimes(t *testing.T) {
	preset := func(name string) []*Hop {
		h, err := ParseHop(name)
		if err != nil {
			t.Fatal(err)
		}
		return []*Hop{h}
	}
	tests := []struct {
		name   string
		path   []*Hop
		device slow
		write  []bool
		at     []clock.Cycle
		want   []times
	}{
		{"no hop answers like RAM", nil, slow{}, []bool{false, true}, []clock.Cycle{5, 6},
			[]times{{5, 5, 6}, {6, 6, 7}}},
		{"obi pipelines", preset("obi"), slow{answer: 3}, []bool{false, false}, []clock.Cycle{5, 6},
			[]times{{5, 5, 9}, {6, 6, 10}}},
		{"ahb-lite: the next grant in the answer cycle", preset("ahb-lite"), slow{}, []bool{true, true, false}, []clock.Cycle{5, 6, 7},
			[]times{{5, 5, 6}, {6, 6, 7}, {7, 7, 8}}},
		{"ahb-lite: a slow device blocks", preset("ahb-lite"), slow{answer: 2}, []bool{false, false}, []clock.Cycle{5, 6},
			[]times{{5, 5, 8}, {6, 8, 11}}},
		{"axi4-lite", preset("axi4-lite"), slow{}, []bool{false, true}, []clock.Cycle{5, 6},
			[]times{{5, 5, 8}, {6, 8, 11}}},
		{"apb loads", preset("apb"), slow{}, []bool{false, false, false}, []clock.Cycle{5, 6, 20},
			[]times{{5, 5, 8}, {6, 8, 11}, {20, 20, 23}}},
		{"apb stores", preset("apb"), slow{}, []bool{true, true}, []clock.Cycle{5, 6},
			[]times{{5, 5, 9}, {6, 9, 13}}},
		{"apb: the device's grant comes on top", preset("apb"), slow{grant: 4}, []bool{true, true}, []clock.Cycle{5, 10},
			[]times{{5, 9, 13}, {10, 17, 21}}},
		{"explicit, serial", preset("1/2/3"), slow{}, []bool{false, true, false}, []clock.Cycle{5, 6, 30},
			[]times{{5, 6, 9}, {6, 10, 14}, {30, 31, 34}}},
		{"explicit, pipelined", preset("1/2/3/pipelined"), slow{}, []bool{false, true}, []clock.Cycle{5, 6},
			[]times{{5, 6, 9}, {6, 7, 11}}},
		// Outer bridge G 1 R 1 serial, inner bridge G 2 R 4 serial. The answer of
		// the first load leaves the device in 9, the inner bridge in 13, the outer
		// one in 14. The second request enters the outer bridge in 14.
		{"two serial hops", []*Hop{
			{Name: "outer", Grant: 1, ResponseLoad: 1, Serial: true}, {Name: "inner", Grant: 2, ResponseLoad: 4, Serial: true},
		}, slow{}, []bool{false, false}, []clock.Cycle{5, 6},
			[]times{{5, 8, 14}, {6, 17, 23}}},
		// The outer crossbar pipelines: the second request waits at the inner
		// bridge from 7 until the first answer leaves it in 13.
		{"serial behind pipelined", []*Hop{
			{Name: "outer", Grant: 1, ResponseLoad: 1}, {Name: "inner", Grant: 2, ResponseLoad: 4, Serial: true},
		}, slow{}, []bool{false, false}, []clock.Cycle{5, 6},
			[]times{{5, 8, 14}, {6, 15, 21}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := NewMap([]Window{{Name: "dev", Base: 0x100, Size: 0x100, Path: tt.path, Target: &tt.device}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			core := m.Initiator("core")
			var got []times
			for i, at := range tt.at {
				a := core.Access(Request{Addr: 0x100, Bytes: 4, Write: tt.write[i], At: at})
				got = append(got, times{at, a.Grant, a.Valid})
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("times (-want +got):\n%s", d)
			}
		})
	}
}

// Two windows behind one bridge, and two initiators before it, block each other.
func TestSharedHop(t *testing.T) {
	bridge := &Hop{Name: "bridge", ResponseLoad: 2, ResponseStore: 3, Serial: true}
	m, err := NewMap([]Window{
		{Name: "a", Base: 0x000, Size: 0x100, Path: []*Hop{bridge}, Target: &slow{}},
		{Name: "b", Base: 0x100, Size: 0x100, Path: []*Hop{bridge}, Target: &slow{}},
		{Name: "c", Base: 0x200, Size: 0x100, Path: []*Hop{{Name: "own", ResponseLoad: 2, ResponseStore: 3, Serial: true}}, Target: &slow{}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	core, dma := m.Initiator("core"), m.Initiator("dma")
	steps := []struct {
		by    *Initiator
		addr  uint32
		write bool
		want  times
	}{
		{core, 0x000, true, times{0, 0, 4}},
		{core, 0x100, false, times{1, 4, 7}},
		{dma, 0x010, true, times{2, 7, 11}},
		{core, 0x200, false, times{3, 3, 6}},
		{dma, 0x100, false, times{4, 11, 14}},
	}
	for i, s := range steps {
		a := s.by.Access(Request{Addr: s.addr, Bytes: 4, Write: s.write, At: s.want.At})
		if got := (times{s.want.At, a.Grant, a.Valid}); got != s.want {
			t.Errorf("step %d: %+v, want %+v", i, got, s.want)
		}
	}

	type row struct {
		Window      string
		Load, Store Count
	}
	rows := func(i *Initiator) []row {
		var r []row
		for _, t := range i.Traffic() {
			r = append(r, row{t.Window.Name, t.Load, t.Store})
		}
		return r
	}
	want := []row{
		{"a", Count{}, Count{Transactions: 1, Bytes: 4, HopWait: 3}},
		{"b", Count{Transactions: 1, Bytes: 4, HopWait: 3 + 2}, Count{}},
		{"c", Count{Transactions: 1, Bytes: 4, HopWait: 2}, Count{}},
	}
	if d := cmp.Diff(want, rows(core)); d != "" {
		t.Errorf("core's traffic (-want +got):\n%s", d)
	}
	want = []row{
		{"a", Count{}, Count{Transactions: 1, Bytes: 4, HopWait: 5 + 3}},
		{"b", Count{Transactions: 1, Bytes: 4, HopWait: 7 + 2}, Count{}},
		{"c", Count{}, Count{}},
	}
	if d := cmp.Diff(want, rows(dma)); d != "" {
		t.Errorf("dma's traffic (-want +got):\n%s", d)
	}
}

func TestWithheldAndFaultsAreCounted(t *testing.T) {
	device := &slow{grant: 7, cause: InputFull}
	m, err := NewMap([]Window{{Name: "dev", Base: 0, Size: 0x100, Target: device}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	core := m.Initiator("core")
	core.Access(Request{Bytes: 4, Write: true, At: 10})
	core.Access(Request{Bytes: 2, Write: true, At: 20})
	device.fault = &Fault{Kind: DeviceError, What: "no"}
	if a := core.Access(Request{Bytes: 4, Write: true, At: 30}); a.Fault == nil || a.Fault.Target != "dev" {
		t.Errorf("fault: %+v, want the window's name in it", a.Fault)
	}
	want := Count{Transactions: 2, Bytes: 6}
	want.Withheld[InputFull] = 14
	if d := cmp.Diff(want, core.Traffic()[0].Store); d != "" {
		t.Errorf("counters (-want +got), a refused access must not count:\n%s", d)
	}
}

func TestParseHop(t *testing.T) {
	tests := []struct {
		text string
		want *Hop
		err  string
	}{
		{"obi", &Hop{Name: "obi"}, ""},
		{"ahb-lite", &Hop{Name: "ahb-lite", Serial: true}, ""},
		{"axi4-lite", &Hop{Name: "axi4-lite", ResponseLoad: 2, ResponseStore: 2, Serial: true}, ""},
		{"apb", &Hop{Name: "apb", ResponseLoad: 2, ResponseStore: 3, Serial: true}, ""},
		{"4/5/6", &Hop{Name: "4/5/6", Grant: 4, ResponseLoad: 5, ResponseStore: 6, Serial: true}, ""},
		{"0/0/1/pipelined", &Hop{Name: "0/0/1/pipelined", ResponseStore: 1}, ""},
		{"abp", nil, `no bus preset is called "abp"; there are obi, ahb-lite, axi4-lite, apb`},
		{"", nil, "no bus preset"},
		{"1/2", nil, "want grant/load/store"},
		{"1/2/3/serial", nil, "want grant/load/store"},
		{"1/2/-3", nil, `"-3" is not a number of cycles`},
		{"1/2/1000001", nil, "0 to 1000000"},
		{"1/2/", nil, `"" is not a number`},
	}
	for _, tt := range tests {
		h, err := ParseHop(tt.text)
		if (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("ParseHop(%q): error %v, want %q", tt.text, err, tt.err)
		}
		if d := cmp.Diff(tt.want, h, cmpopts.IgnoreUnexported(Hop{})); d != "" {
			t.Errorf("ParseHop(%q) (-want +got):\n%s", tt.text, d)
		}
	}
}

// Every preset has its sources, gives a hop of its own each time, and the
// default is one of them.
func TestPresets(t *testing.T) {
	found := false
	for _, p := range Presets {
		if p.Sources == "" {
			t.Errorf("preset %s has no source", p.Name)
		}
		if p.Hop() == p.Hop() {
			t.Errorf("preset %s hands out one hop twice", p.Name)
		}
		if p.Serial != (p.Name != "obi") {
			t.Errorf("preset %s: serial %v; all but obi are", p.Name, p.Serial)
		}
		found = found || p.Name == DefaultPreset
	}
	if !found {
		t.Errorf("the default preset %q is not in the table", DefaultPreset)
	}
}

// On any path: granted no earlier than requested, answered after that, and at a
// serial hop never granted before the previous answer.
func TestPathLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wait := rapid.Uint64Range(0, 3)
		var path []*Hop
		for range rapid.IntRange(0, 3).Draw(t, "hops") {
			path = append(path, &Hop{
				Grant: clock.Cycle(wait.Draw(t, "G")), ResponseLoad: clock.Cycle(wait.Draw(t, "R load")), ResponseStore: clock.Cycle(wait.Draw(t, "R store")),
				Serial: rapid.Bool().Draw(t, "serial"),
			})
		}
		device := &slow{grant: clock.Cycle(wait.Draw(t, "device grant")), answer: clock.Cycle(wait.Draw(t, "device answer"))}
		m, err := NewMap([]Window{{Name: "dev", Size: 4, Path: path, Target: device}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		core := m.Initiator("core")
		var at, before clock.Cycle
		for range rapid.IntRange(1, 20).Draw(t, "requests") {
			at += clock.Cycle(rapid.Uint64Range(0, 12).Draw(t, "gap"))
			write := rapid.Bool().Draw(t, "write")
			a := core.Access(Request{Bytes: 4, Write: write, At: at})
			var g, r clock.Cycle
			for _, h := range path {
				g += h.Grant
				r += h.response(write)
			}
			if a.Grant < at+g+device.grant || a.Valid != a.Grant+1+device.answer+r {
				t.Fatalf("requested in %d: granted %d, valid %d (G %d, R %d)", at, a.Grant, a.Valid, g, r)
			}
			if len(path) > 0 && path[0].Serial && a.Grant < before {
				t.Fatalf("granted in %d, before the previous answer in %d", a.Grant, before)
			}
			if (len(path) == 0 || at >= before) && a.Grant != at+g+device.grant {
				t.Fatalf("requested in %d with nothing under way: granted %d, want %d", at, a.Grant, at+g+device.grant)
			}
			before = a.Valid
			at = a.Grant // the next request comes after the grant
		}
	})
}

func BenchmarkAccess(b *testing.B) {
	h, _ := ParseHop("apb")
	m, err := NewMap([]Window{
		{Name: "uart", Base: 0x1000_0000, Size: 0x100, Path: []*Hop{h}, Target: &slow{}},
		{Name: "dev", Base: 0x1100_0000, Size: 0x100, Path: []*Hop{h}, Target: &slow{}},
	}, nil)
	if err != nil {
		b.Fatal(err)
	}
	core := m.Initiator("core")
	b.ReportAllocs()
	var at clock.Cycle
	for b.Loop() {
		at = core.Access(Request{Addr: 0x1100_0020, Bytes: 4, Write: true, At: at}).Valid
	}
}
