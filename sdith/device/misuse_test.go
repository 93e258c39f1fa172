package device

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/bus"
	"socsim/clock"
	"socsim/sdith"
	"socsim/sdith/pipeline"
)

// What is refused, and how a program goes on from there.
func TestRefused(t *testing.T) {
	c := smallConfig()
	m := materialOf(t, c, 9)
	other, err := small.GenerateKey(bytes.Repeat([]byte{8}, 2*small.SeedSize()))
	if err != nil {
		t.Fatal(err)
	}
	stranger := bytes.Clone(m.key)
	copy(stranger[len(stranger)-small.Codim/8:], other.Syndrome())
	broken := bytes.Clone(m.key)
	for i := range broken {
		broken[i] = 0xff
	}
	for _, tt := range []struct {
		name  string
		do    func(h *host)
		code  Code
		notes string
	}{
		{"nothing loaded", func(h *host) {}, NoKey, "KEY were not written"},
		{"no key", func(h *host) { h.put(offEntropyWindow, m.entropy) }, NoKey, "KEY were not written"},
		{"all of the key but a word", func(h *host) {
			h.put(offEntropyWindow, m.entropy)
			h.put(offKeyWindow, m.key[:len(m.key)-4])
		}, NoKey, "1 of the "},
		{"no entropy", func(h *host) { h.put(offKeyWindow, m.key) }, NoEntropy, "8 of the 8 words of ENTROPY"},
		{"half of the entropy twice", func(h *host) {
			h.put(offKeyWindow, m.key)
			h.put(offEntropyWindow, m.entropy[:16])
			h.put(offEntropyWindow, m.entropy[:16])
		}, NoEntropy, "4 of the 8 words"},
		{"a message of a byte too much", func(h *host) { h.fill(m); h.store(offLength, 4097) }, LongMessage, "LENGTH is 4097 bytes, the message memory holds 4096"},
		{"the longest LENGTH", func(h *host) { h.fill(m); h.store(offLength, 0xffff_ffff) }, LongMessage, "LENGTH is 4294967295 bytes"},
		{"no key at all", func(h *host) { h.fill(m); h.put(offKeyWindow, broken) }, BadKey, "secret key"},
		{"a key of two", func(h *host) { h.fill(m); h.put(offKeyWindow, stranger) }, BadWitness, "witness"},
	} {
		h := newHost(t, c, "")
		h.store(offIRQEnable, 1)
		tt.do(h)
		g := h.store(offControl, controlStart).Grant
		if got, want := h.load(offStatus), statusError|uint32(tt.code)<<statusCode; got != want {
			t.Errorf("%s: STATUS 0x%x, want 0x%x", tt.name, got, want)
		}
		if d := cmp.Diff([]string{fmt.Sprintf("true from %d", g+1)}, h.line); d != "" {
			t.Errorf("%s: line %s", tt.name, d)
		}
		if n := h.d.Notes(); len(n) != 1 || !strings.Contains(n[0], tt.notes) || !strings.Contains(n[0], fmt.Sprintf("START in cycle %d was refused", g)) {
			t.Errorf("%s: notes %q", tt.name, n)
		}
		h.refused(load(offSignatureWindow), "SIGNATURE read, but there is none", "DONE")
		if got := h.load(offTotal); got != 0 {
			t.Errorf("%s: CYCLES is %d", tt.name, got)
		}
		// The program can go on. The interrupt stays until it is cleared.
		h.fill(m)
		h.store(offIRQ, 1)
		h.store(offControl, controlStart)
		h.at += clock.Cycle(m.result.Cycles)
		if got := h.get(offSignatureWindow, len(m.signature)); !bytes.Equal(got, m.signature) {
			t.Errorf("%s: another signature afterwards", tt.name)
		}
		if s := h.d.Statistics(h.at); s.Refused != 1 || s.Signatures != 1 {
			t.Errorf("%s: %+v", tt.name, s)
		}
	}
	// Notes do not fill the screen.
	h := newHost(t, c, "")
	for range 100 {
		h.store(offControl, controlStart)
	}
	if n := h.d.Notes(); len(n) != mostNotes {
		t.Errorf("%d notes", len(n))
	}
	if s := h.d.Statistics(h.at); s.Refused != 100 {
		t.Errorf("%+v", s)
	}
}

// Messages of every length there can be at the ends, and what lies behind LENGTH.
func TestMessages(t *testing.T) {
	c := smallConfig()
	for _, n := range []int{0, 1, 3, 4, 5, 4095, 4096} {
		m := materialOf(t, c, n)
		h := newHost(t, c, "")
		for i := range uint32(pipeline.MaxMessage / 4) {
			h.store(offMessageWindow+4*i, 0x5a5a5a5a)
		}
		h.fill(m)
		h.store(offControl, controlStart)
		h.at += clock.Cycle(m.result.Cycles)
		if got := h.get(offSignatureWindow, len(m.signature)); !bytes.Equal(got, m.signature) {
			t.Errorf("%d bytes: another signature", n)
		}
	}
	// Never written, it is zeroes.
	m := materialOf(t, c, 4)
	clear(m.message)
	sk, _ := sdith.ParseSecretKey(small, m.key)
	want, err := sk.Sign(m.message, m.entropy)
	if err != nil {
		t.Fatal(err)
	}
	h := newHost(t, c, "")
	h.put(offKeyWindow, m.key)
	h.put(offEntropyWindow, m.entropy)
	h.store(offLength, 4)
	h.store(offControl, controlStart)
	h.at += 1 << 30
	if got := h.get(offSignatureWindow, len(want)); !bytes.Equal(got, want) {
		t.Error("a message that was never written is not zeroes")
	}
}

// Bad use ends the run, and says what to do.
func TestMisuse(t *testing.T) {
	c := smallConfig()
	m := materialOf(t, c, 9)
	size := uint32(len(m.signature)+3) &^ 3
	idle := newHost(t, c, "")
	busy := newHost(t, c, "")
	busy.fill(m)
	busy.store(offControl, controlStart)
	done := newHost(t, c, "")
	done.fill(m)
	done.store(offControl, controlStart)
	done.at += clock.Cycle(m.result.Cycles)

	for _, tt := range []struct {
		h          *host
		r          bus.Request
		what, hint string
	}{
		{idle, load(offSignatureWindow), "SIGNATURE read, but there is none", "START"},
		{busy, load(offSignatureWindow), "SIGNATURE read while a signature is being made", "STATUS.BUSY"},
		{busy, store(offControl, controlStart), "START written to CTRL while", "RESET"},
		{busy, store(offControl, controlStart|controlReset), "START and RESET", "then START"},
		{idle, store(offControl, controlStart|controlReset), "START and RESET", "then START"},
		{busy, store(offLength, 1), "LENGTH written while", "STATUS.BUSY"},
		{busy, store(offKeyWindow, 1), "KEY written while", "STATUS.BUSY"},
		{busy, store(offEntropyWindow, 1), "ENTROPY written while", "STATUS.BUSY"},
		{busy, store(offMessageWindow+4092, 1), "MESSAGE written while", "STATUS.BUSY"},
		{idle, store(offKeyWindow+uint32(len(m.key)+3)&^3, 1), "of KEY, which has", "offsets 0x1000"},
		{idle, store(offEntropyWindow+32, 1), "of ENTROPY, which has 32 bytes in configuration sec1_small_hp0", "offsets 0x2000 to 0x201f"},
		{idle, store(offMessageWindow+4096, 1), "offset 0x5000, where the SDitH coprocessor has no register", "MESSAGE at 0x4000-0x4fff"},
		{done, load(offSignatureWindow + size), "of SIGNATURE, which has", "offsets 0x10000"},
		{idle, load(offSignatureWindow + size), "of SIGNATURE, which has", "offsets 0x10000"},
		{idle, load(RegisterBytes()), "no register", ""},
		{idle, load(Size - 4), "no register", ""},
		{idle, load(0x0c), "no register", ""},
		{idle, load(0x38), "no register", ""},
		{idle, load(offPhases + 80), "no register", ""},
		{idle, load(offKeyWindow), "KEY (offset 0x1000), which is write-only", ""},
		{idle, load(offEntropyWindow), "write-only", ""},
		{idle, load(offMessageWindow), "write-only", ""},
		{idle, load(offControl), "write-only", ""},
		{done, store(offSignatureWindow, 1), "read-only", ""},
		{idle, store(offStatus, 1), "read-only", ""},
		{idle, store(offTotal, 1), "read-only", ""},
		{idle, store(offConfig, 1), "read-only", ""},
		{idle, bus.Request{Addr: offKeyWindow, Bytes: 1, Write: true}, "word accesses only", ""},
		{idle, bus.Request{Addr: offKeyWindow + 2, Bytes: 2, Write: true}, "word accesses only", ""},
		{done, bus.Request{Addr: offSignatureWindow + 3, Bytes: 1}, "word accesses only", ""},
		{idle, bus.Request{Addr: offStatus + 2, Bytes: 4}, "word accesses only", ""},
	} {
		tt.h.refused(tt.r, tt.what, tt.hint)
	}
	// Nothing of it had an effect.
	if got := done.get(offSignatureWindow, len(m.signature)); !bytes.Equal(got, m.signature) {
		t.Error("another signature")
	}
	if got := busy.load(offStatus); got != statusBusy {
		t.Errorf("STATUS 0x%x", got)
	}
	if got := idle.load(offStatus); got != statusIdle {
		t.Errorf("STATUS 0x%x", got)
	}
	// STATUS, IRQ, counters and sizes can be read at any time, IRQ_ENABLE written.
	for _, h := range []*host{idle, busy, done} {
		h.load(offIRQ)
		h.load(offTotal)
		h.store(offIRQEnable, 1)
		h.store(offIRQ, 1)
		h.store(offControl, 0)
	}
}
