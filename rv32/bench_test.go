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

// BenchmarkDeviceAccess runs a loop that copies four words from RAM to a device
// behind a slow bridge: the price of leaving the fast loop.
func BenchmarkDeviceAccess(b *testing.B) {
	h := testHart(b, Config{Port: slowPort{0, 3}},
		encI(0, 10, 2, 5, 3), encI(4, 10, 2, 6, 3), encS(0, 5, 11, 2), encI(8, 10, 2, 5, 3), encS(0, 6, 11, 2),
		encI(12, 10, 2, 6, 3), encS(0, 5, 11, 2), encS(0, 6, 11, 2), addi(7, 7, -1), encB(-36, 0, 7, 1), selfLoop)
	h.SetX(10, testBase+0x1000)
	h.SetX(11, 0x1000_0000)
	var accesses uint64
	for b.Loop() {
		h.SetX(7, 10_000)
		h.SetPC(testBase)
		h.Run(Limits{})
		accesses += 4 * 10_000
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(accesses), "ns/access")
	b.ReportMetric(0, "ns/op")
}
