package soc_test

import (
	"context"
	"os"
	"testing"
	"time"

	"socsim/soc"
)

// Every engine gives the same result, to the byte: over each coupling, with interrupts
// and with DMA, in programs of their own kind.
func TestEngines(t *testing.T) {
	tests := []struct {
		elf, accel string
		args       []string
		long       bool // not with -short
	}{
		{"kyber", "none", []string{"-p", "512"}, false},
		{"kyber", "shake-ram", []string{"-p", "512", "-wait", "wfi"}, false},
		{"kyber", "shake-dma", []string{"-p", "512", "-wait", "wfi"}, false},
		{"hash", "ascon-fifo", nil, false},
		{"kyber", "shake-fifo", []string{"-p", "512"}, true},
		{"kyber", "shake12-lsu", []string{"-p", "768"}, true},
		{"dilithium", "shake-lsux", []string{"-p", "44"}, true},
		{"dilithium", "none", []string{"-p", "44"}, true},
		{"dilithium", "shake-regx", []string{"-p", "65"}, true},
		{"sphincs", "ascon8-reg", []string{"-op", "keygen"}, true},
		{"sphincs", "ascon128-dma", []string{"-op", "keygen"}, true},
		{"sphincs", "ascon-ram", []string{"-op", "keygen", "-ram", "copy"}, true},
		{"sphincs", "none", []string{"-op", "keygen"}, true},
	}
	for _, tt := range tests {
		if tt.long && testing.Short() {
			continue
		}
		t.Run(tt.elf+"/"+tt.accel, func(t *testing.T) {
			t.Parallel()
			file, err := os.ReadFile("../firmware/" + tt.elf + ".elf")
			if err != nil {
				t.Fatal(err)
			}
			var want string
			for _, engine := range []soc.Engine{soc.EngineInterpret, soc.EngineTranslate, soc.EngineAuto} {
				s, err := soc.New(soc.Options{Name: tt.elf, ELF: file, Accel: tt.accel, Args: tt.args, Engine: engine})
				if err != nil {
					t.Fatal(err)
				}
				r, err := s.Run(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				if r.Engine.Refused != nil {
					t.Skip(r.Engine.Refused)
				}
				r.Host = nil
				b, err := r.JSON()
				if err != nil {
					t.Fatal(err)
				}
				switch {
				case engine == soc.EngineInterpret:
					want = string(b)
				case string(b) != want:
					t.Errorf("engine %s:\n%s\ninterpreted:\n%s", soc.Engines[engine], b, want)
				}
				if n := r.Engine.Translated; engine == soc.EngineTranslate && n < r.Instret/20 {
					t.Errorf("%d of %d instructions ran translated", n, r.Instret)
				}
			}
		})
	}
}

// A cancelled run stops within 50 ms, whatever the engine is at. The test allows more, as
// the host may be busy.
func TestCancelEngines(t *testing.T) {
	file, err := os.ReadFile("../firmware/sphincs.elf")
	if err != nil {
		t.Fatal(err)
	}
	for _, engine := range []soc.Engine{soc.EngineAuto, soc.EngineTranslate} {
		for _, after := range []time.Duration{10, 60, 150, 300} {
			s, err := soc.New(soc.Options{Name: "sphincs", ELF: file, Accel: "none", Args: []string{"-p", "256s"}, Engine: engine})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), after*time.Millisecond)
			start := time.Now()
			_, err = s.Run(ctx)
			cancel()
			if late := time.Since(start) - after*time.Millisecond; err != context.DeadlineExceeded || late > 250*time.Millisecond {
				t.Errorf("engine %s, cancelled after %d ms: %v, %v late", soc.Engines[engine], after, err, late)
			} else {
				t.Logf("engine %s, cancelled after %d ms: %v late", soc.Engines[engine], after, late)
			}
		}
	}
}
