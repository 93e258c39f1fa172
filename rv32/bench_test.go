package rv32

import (
	"bytes"
	"debug/elf"
	"os"
	"testing"
)

// BenchmarkInterpreter runs the RTL's C kernels over and over; MIPS are guest
// instructions per host microsecond, with the code decoded.
func BenchmarkInterpreter(b *testing.B) {
	for _, name := range []string{"k_keccak.O2", "k_ntt3329.O2", "k_mul64.O2", "k_mem.O2"} {
		for _, exact := range []bool{false, true} {
			loop := map[bool]string{true: "exact", false: "fast"}[exact]
			b.Run(name+"/"+loop, func(b *testing.B) { benchELF(b, "testdata/cv32e40p/kernels/"+name+".elf", exact) })
		}
	}
}

func benchELF(b *testing.B, path string, exact bool) {
	file, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	f, err := elf.NewFile(bytes.NewReader(file))
	if err != nil {
		b.Fatal(err)
	}
	h, err := New(Config{RAMBase: 0x0010_0000, RAMSize: 1 << 20, ExactOnly: exact})
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD {
			p.ReadAt(h.RAM()[p.Paddr-0x0010_0000:][:p.Filesz], 0)
		}
	}
	h.Reset(uint32(f.Entry))
	for b.Loop() {
		h.SetPC(uint32(f.Entry)) // the code stays decoded
		if stop := h.Run(Limits{}); stop.Reason != StopSelfLoop {
			b.Fatalf("stopped: %+v", stop)
		}
	}
	b.ReportMetric(float64(h.Instret())/1e6/b.Elapsed().Seconds(), "MIPS")
	b.ReportMetric(0, "ns/op")
}
