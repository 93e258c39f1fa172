package device

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/clock"
	"socsim/sdith/pipeline"
)

// started returns a device with a signature under way, and the cycle from which on there
// is one.
func started(t *testing.T, m material, enabled bool) (h *host, end clock.Cycle) {
	t.Helper()
	h = newHost(t, smallConfig(), "")
	h.fill(m)
	if enabled {
		h.store(offIRQEnable, 1)
	}
	return h, h.store(offControl, controlStart).Grant + 1 + clock.Cycle(m.result.Cycles)
}

// The line rises with DONE, is announced while it is enabled, and falls when DONE is
// cleared or disabled.
func TestInterrupt(t *testing.T) {
	m := materialOf(t, smallConfig(), 5)
	line := func(h *host, what string, want ...string) {
		t.Helper()
		if d := cmp.Diff(want, h.line); d != "" {
			t.Errorf("%s (-want +got): %s", what, d)
		}
	}
	rise := func(c clock.Cycle) string { return fmt.Sprintf("true from %d", c) }
	fall := func(c clock.Cycle) string { return fmt.Sprintf("false from %d", c) }

	h, end := started(t, m, true)
	if got := h.queue.Next(); got != end {
		t.Errorf("announced for %d, want %d", got, end)
	}
	h.queue.Advance(end)
	line(h, "by the queue", rise(end))
	h.at = end + 5
	g := h.store(offIRQ, 1).Grant
	line(h, "cleared", rise(end), fall(g+1))
	if got := h.load(offIRQ); got != 0 || h.queue.Next() != clock.Never {
		t.Errorf("IRQ is %d, next event in %d", got, h.queue.Next())
	}

	h, end = started(t, m, true) // nobody advances the queue: an access sees to it
	h.at = end + 5
	if got := h.load(offIRQ); got != 1 {
		t.Errorf("IRQ is %d", got)
	}
	line(h, "late", rise(end))
	g = h.store(offIRQEnable, 0).Grant
	line(h, "disabled", rise(end), fall(g+1))
	g = h.store(offIRQEnable, 1).Grant
	line(h, "enabled again", rise(end), fall(end+7), rise(g+1))
	h.store(offIRQ, 0)
	if got := h.load(offIRQ); got != 1 {
		t.Error("a zero clears DONE")
	}

	h, end = started(t, m, false)
	if got := h.queue.Next(); got != clock.Never {
		t.Errorf("not enabled, and announced for %d", got)
	}
	h.at = end - 10
	h.store(offIRQEnable, 1)
	if got := h.queue.Next(); got != end {
		t.Errorf("announced for %d, want %d", got, end)
	}
	h.store(offIRQEnable, 0)
	if got := h.queue.Next(); got != clock.Never {
		t.Errorf("disabled, and announced for %d", got)
	}
	h.at = end + 10
	line(h, "not enabled")
	g = h.store(offIRQEnable, 1).Grant
	line(h, "enabled behind the end", rise(g+1))

	// Cleared around the end: a clear that acts before it does nothing, one that acts from
	// the same cycle on loses, one behind it wins.
	for _, tt := range []struct {
		after int // of the grant, against the first cycle with DONE
		want  uint32
	}{{-2, 1}, {-1, 1}, {0, 0}, {1, 0}} {
		h, end = started(t, m, true)
		h.at = end + clock.Cycle(tt.after)
		g := h.store(offIRQ, 1).Grant
		h.at = end + 3
		if got := h.load(offIRQ); got != tt.want {
			t.Errorf("cleared in %d, DONE in %d: IRQ is %d, want %d", g, end, got, tt.want)
		}
		if tt.want == 1 {
			line(h, "cleared before the end", rise(end))
		} else {
			line(h, "cleared behind the end", rise(end), fall(g+1))
		}
	}

	// Without a queue and without a line nothing is amiss.
	d, err := New(smallConfig(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range []uint32{offIRQEnable, offControl, offIRQ} {
		q := store(r, 1)
		q.At = clock.Cycle(i)
		if a := d.Access(q); a.Fault != nil {
			t.Error(a.Fault)
		}
	}
}

// RESET in the middle of a signature, and in every other state.
func TestReset(t *testing.T) {
	m := materialOf(t, smallConfig(), 9)
	total := clock.Cycle(m.result.Cycles)
	for _, tt := range []struct {
		name  string
		after clock.Cycle // of START; 0: there is none
		want  Statistics
	}{
		{"idle", 0, Statistics{}},
		{"in the cycle behind START", 1, Statistics{Abandoned: 1, BusyCycles: 1}},
		{"in the middle", total / 2, Statistics{Abandoned: 1, BusyCycles: total / 2}},
		{"in the last cycle but one", total - 1, Statistics{Abandoned: 1, BusyCycles: total - 1}},
		{"in the last cycle", total, Statistics{Signatures: 1, Attempts: m.result.Attempts, BusyCycles: total}},
		{"done", total + 5, Statistics{Signatures: 1, Attempts: m.result.Attempts, BusyCycles: total}},
	} {
		h := newHost(t, smallConfig(), "")
		h.store(offIRQEnable, 1)
		h.fill(m)
		if tt.after > 0 {
			h.at = h.store(offControl, controlStart).Grant + tt.after
		}
		h.store(offControl, controlReset)
		g := h.last.Grant
		if h.queue.Next() != clock.Never {
			t.Errorf("%s: an interrupt is announced for %d", tt.name, h.queue.Next())
		}
		h.queue.Advance(g + 2*total)
		if n := len(h.line); n > 0 && h.line[n-1] != fmt.Sprintf("false from %d", g+1) {
			t.Errorf("%s: line %q", tt.name, h.line)
		}
		for offset, want := range map[uint32]uint32{offStatus: statusIdle, offLength: 0, offIRQ: 0, offIRQEnable: 1, offTotal: 0, offAttempts: 0, offPhases + 8: 0} {
			if got := h.load(offset); got != want {
				t.Errorf("%s: register 0x%x is 0x%x behind RESET, want 0x%x", tt.name, offset, got, want)
			}
		}
		h.refused(load(offSignatureWindow), "there is none", "")
		s := h.d.Statistics(h.at)
		tt.want.WordsIn, tt.want.IdleCycles, tt.want.Phases = s.WordsIn, h.at-tt.want.BusyCycles, s.Phases
		if d := cmp.Diff(tt.want, s); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
		var sum clock.Cycle
		for _, p := range s.Phases {
			sum += p.Cycles
		}
		if sum != s.BusyCycles {
			t.Errorf("%s: phases have %d cycles, want %d", tt.name, sum, s.BusyCycles)
		}

		// All is gone, and can be loaded again.
		h.store(offControl, controlStart)
		if got := h.load(offStatus); got != statusError|uint32(NoKey)<<statusCode {
			t.Errorf("%s: STATUS 0x%x, want no key", tt.name, got)
		}
		h.fill(m)
		h.store(offControl, controlStart)
		h.at += total
		if got := h.get(offSignatureWindow, len(m.signature)); !bytes.Equal(got, m.signature) {
			t.Errorf("%s: another signature", tt.name)
		}
	}
}

// Several signatures: the key stays, entropy is used up, the message may stay.
func TestAgain(t *testing.T) {
	m := materialOf(t, smallConfig(), 9)
	h := newHost(t, smallConfig(), "")
	var jobs []Job
	h.d.Observe(func(j Job) { jobs = append(jobs, j) })
	h.fill(m)
	for n := range uint64(3) {
		h.store(offControl, controlStart)
		h.at += clock.Cycle(m.result.Cycles)
		if got := h.get(offSignatureWindow, len(m.signature)); !bytes.Equal(got, m.signature) {
			t.Errorf("signature %d is another one", n)
		}
		if got := h.load(offTotal); got != uint32(m.result.Cycles) {
			t.Errorf("signature %d: CYCLES is %d", n, got)
		}
		s := h.d.Statistics(h.at)
		if s.Signatures != n+1 || s.BusyCycles != clock.Cycle(n+1)*clock.Cycle(m.result.Cycles) || s.Refused != n ||
			s.WordsOut != (n+1)*uint64(words(len(m.signature))) || s.Attempts != (n+1)*m.result.Attempts {
			t.Errorf("signature %d: %+v", n, s)
		}
		h.store(offControl, controlStart)
		if got := h.load(offStatus); got != statusError|uint32(NoEntropy)<<statusCode {
			t.Errorf("STATUS 0x%x behind a START with used entropy", got)
		}
		if got := h.load(offTotal); got != 0 {
			t.Errorf("CYCLES is %d behind a START that was refused", got)
		}
		h.put(offEntropyWindow, m.entropy)
	}
	if len(jobs) != 6 || jobs[0].Result == nil || jobs[0].To-jobs[0].From != clock.Cycle(m.result.Cycles) || jobs[1].Code != NoEntropy || jobs[1].Result != nil {
		t.Errorf("jobs %+v", jobs)
	}
	// In the middle of one, statistics have what has passed.
	start := h.store(offControl, controlStart).Grant
	s := h.d.Statistics(start + 1 + 100)
	if s.Signatures != 3 || s.BusyCycles != 3*clock.Cycle(m.result.Cycles)+100 || s.IdleCycles != start+101-s.BusyCycles {
		t.Errorf("in the middle: %+v", s)
	}
}

// Bits and offsets that the model uses are those of the table.
func TestTable(t *testing.T) {
	want := map[string]uint32{
		"CTRL.START": controlStart, "CTRL.RESET": controlReset, "STATUS.BUSY": statusBusy, "STATUS.DONE": statusDone, "STATUS.ERROR": statusError,
		"STATUS.IDLE": statusIdle, "STATUS.CODE": 0xff << statusCode, "IRQ.DONE": irqDone, "IRQ_ENABLE.DONE": irqDone, "ID.VERSION": 0xff, "ID.SCHEME": 0xffffff00,
		"CONFIG.LEVEL": 0xf << configLevel, "CONFIG.SHORT": configShort, "CONFIG.HP": configHalfPoly, "CONFIG.HCOM_IN_PHASE12": configHCom,
		"CONFIG.PATH": 3 << configPath, "CONFIG.CACHE_DEPTH": 0xff << configCacheDepth,
	}
	p, err := pipeline.ParseConfig("sec1_fast_hp0")
	if err != nil {
		t.Fatal(err)
	}
	h := newHost(t, Config{Pipeline: p}, "")
	for _, r := range Registers {
		for _, f := range r.Fields {
			name := r.Name + "." + f.Name
			if f.Mask() != want[name] {
				t.Errorf("%s is 0x%x, want 0x%x", name, f.Mask(), want[name])
			}
			delete(want, name)
		}
		if r.Access.String() != "W" && r.Offset != offSignatureWindow {
			if got := h.load(r.Offset); got != r.Reset {
				t.Errorf("%s reads 0x%x out of reset, in the table it is 0x%x", r.Name, got, r.Reset)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not in the table: %v", want)
	}
	header, page := Header(), Markdown()
	for _, line := range []string{"SOCSIM_SDITH_BASE                   0x14000000\n", "SOCSIM_SDITH_KEY                    0x1000\n", "SOCSIM_SDITH_KEY_WORDS              77\n",
		"SOCSIM_SDITH_SIGNATURE_WORDS        4385\n", "SOCSIM_SDITH_ERROR_LONG_MESSAGE     3\n", "SOCSIM_SDITH_PHASE_W1               2\n"} {
		if !strings.Contains(header, "#define "+line) {
			t.Errorf("no %q in the header", line)
		}
	}
	for _, line := range []string{"| 0x4000 | MESSAGE | W | - | in | ", "| 0x10000 | SIGNATURE | R | 0x0 | out | ", "| 3 | LONG_MESSAGE | "} {
		if !strings.Contains(page, line) {
			t.Errorf("no %q on the page", line)
		}
	}
	if c := Code(200).String(); c != "code 200" || NoKey.String() == c {
		t.Errorf("%s, %s", c, NoKey)
	}
}
