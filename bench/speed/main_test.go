package main

import (
	"os/exec"
	"strings"
	"testing"
)

// Every workload computes the same on the host and on the simulated core, for any count.
func TestWorkloads(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for _, tool := range []string{"riscv64-unknown-elf-gcc", "gcc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	dir := t.TempDir()
	simulator := dir + "/socsim"
	if out, err := exec.Command("go", "build", "-o", simulator, "socsim").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	engines, _ := available(simulator)
	sums := map[string]string{}
	for _, w := range workloads {
		built := map[string]string{}
		for _, e := range engines {
			if built[e.build] != "" {
				continue
			}
			file, err := build(w, e.build, dir)
			if err != nil {
				t.Fatal(err)
			}
			built[e.build] = file
		}
		for _, count := range []uint32{0, 1, 9} {
			want := ""
			for _, e := range engines {
				_, sum, err := timed(e, built[e.build], count)
				if err != nil {
					t.Fatal(err)
				}
				if want == "" {
					want = sum
				}
				if sum != want || len(sum) != 8 {
					t.Errorf("%s, count %d: %s has %s, %s has %s", w, count, e.name, sum, engines[0].name, want)
				}
			}
			if other := sums[want]; count > 0 && other != "" {
				t.Errorf("%s, count %d: the same checksum as %s", w, count, other)
			}
			sums[want] = w
		}
	}
}

func TestTable(t *testing.T) {
	tab := table{engines: []engine{{name: "translate"}, {name: "qemu-user"}, {name: "native"}}}
	tab.add("a", []float64{200, 100, 800})
	tab.add("b", []float64{50, 100, 200})
	text := tab.text()
	for _, want := range []string{
		"times as fast as qemu-user",
		"  a                   2.00        1.00        8.00",
		"  b                   0.50        1.00        2.00",
		"  geom. mean          1.00        1.00        4.00",
		"  worst               0.50        1.00        2.00",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
