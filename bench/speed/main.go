// Speed compares how fast programs run: on socsim's engines, on QEMU's user mode (which
// knows no time), on QEMU's system emulation with -icount shift=0 (an instruction is a
// tick), and on the host itself.
//
//	go run ./bench/speed [-rounds 5] [-seconds 1] [-workloads shake,vm]
//
// Every workload is one C program (workloads/), built for all of them with -O2. A round
// runs all engines one after the other, so that whatever else the machine does meets all
// alike; what is printed are ratios of instructions a second, the median of the rounds. The
// time to start is taken off, measured by a run that does nothing. Guest instructions
// count, on the host those that the guest would have needed.
//
// It needs Debian's gcc-riscv64-unknown-elf, qemu-user, qemu-system-misc and gcc; what is
// missing is left out and named.
package main

import (
	"bytes"
	"debug/elf"
	"embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed workloads
var sources embed.FS

// workloads are the programs.
var workloads = []string{"shake", "ntt3329", "ntt8380417", "fft", "bytes", "calls", "vm", "branchy"}

func main() {
	rounds := flag.Int("rounds", 5, "rounds")
	seconds := flag.Float64("seconds", 1, "how long a run takes, about")
	chosen := flag.String("workloads", strings.Join(workloads, ","), "which of them")
	flag.Parse()
	if err := measure(*rounds, *seconds, strings.Split(*chosen, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

// engine runs a built workload.
type engine struct {
	name    string
	build   string // which build of a workload: bare, linux or native
	command func(file string, count uint32) []string
}

func measure(rounds int, seconds float64, chosen []string) error {
	if rounds < 1 || seconds <= 0 {
		return errors.New("-rounds and -seconds have to be more than 0")
	}
	for _, w := range chosen {
		if !slices.Contains(workloads, w) {
			return fmt.Errorf("no workload %q, there are %s", w, strings.Join(workloads, ", "))
		}
	}
	dir, err := os.MkdirTemp("", "speed")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	simulator := filepath.Join(dir, "socsim")
	if out, err := exec.Command("go", "build", "-o", simulator, "socsim").CombinedOutput(); err != nil {
		return fmt.Errorf("go build socsim: %w\n%s", err, out)
	}
	engines, missing := available(simulator)
	for _, m := range missing {
		fmt.Println("left out:", m)
	}
	t := table{engines: engines}
	for _, w := range chosen {
		rates, err := rates(w, dir, simulator, engines, rounds, seconds)
		if err != nil {
			return fmt.Errorf("%s: %w", w, err)
		}
		t.add(w, rates)
	}
	fmt.Print(t.text())
	return nil
}

// available returns the engines that can be run, and what keeps others from it.
func available(simulator string) (engines []engine, missing []string) {
	run := func(flags ...string) func(string, uint32) []string {
		return func(file string, _ uint32) []string {
			return append([]string{simulator, "run", file, "--accel", "none", "-q", "--max-instructions", "0", "--max-cycles", "0", "--timeout", "0"}, flags...)
		}
	}
	engines = []engine{{"auto", "bare", run("--engine", "auto")}, {"interp", "bare", run("--engine", "interp")}}
	for _, other := range []struct {
		name, build, program string
		args                 []string
	}{
		{"qemu-user", "linux", "qemu-riscv32", nil},
		{"qemu-icount", "bare", "qemu-system-riscv32", strings.Fields("-M virt -bios none -display none -serial null -monitor none " +
			"-semihosting-config enable=on,target=native -icount shift=0 -kernel")},
	} {
		if _, err := exec.LookPath(other.program); err != nil {
			missing = append(missing, other.name+": "+err.Error())
			continue
		}
		engines = append(engines, engine{other.name, other.build, func(file string, _ uint32) []string {
			return append(append([]string{other.program}, other.args...), file)
		}})
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		return engines, append(missing, "native: "+err.Error())
	}
	return append(engines, engine{"native", "native", func(file string, count uint32) []string {
		return []string{file, strconv.FormatUint(uint64(count), 10)}
	}}), missing
}

// rates are the instructions a second of each engine on a workload.
func rates(workload, dir, simulator string, engines []engine, rounds int, seconds float64) ([]float64, error) {
	built := map[string]string{}
	for _, e := range engines {
		if built[e.build] != "" {
			continue
		}
		file, err := build(workload, e.build, dir)
		if err != nil {
			return nil, err
		}
		built[e.build] = file
	}
	each, err := instructions(simulator, built["bare"])
	if err != nil {
		return nil, err
	}
	counts := make([]uint32, len(engines))
	var want string
	for i, e := range engines {
		if counts[i], err = calibrate(e, built[e.build], seconds); err != nil {
			return nil, err
		}
		_, sum, err := timed(e, built[e.build], 24)
		if err != nil {
			return nil, err
		}
		if want == "" {
			want = sum
		}
		if sum != want {
			return nil, fmt.Errorf("%s computes %s, %s computes %s", e.name, sum, engines[0].name, want)
		}
	}
	all := make([][]float64, len(engines))
	for range rounds {
		for i, e := range engines {
			start, _, err := timed(e, built[e.build], 0)
			if err != nil {
				return nil, err
			}
			took, _, err := timed(e, built[e.build], counts[i])
			if err != nil {
				return nil, err
			}
			all[i] = append(all[i], each*float64(counts[i])/max(1e-9, (took-start).Seconds()))
		}
	}
	medians := make([]float64, len(engines))
	for i, r := range all {
		slices.Sort(r)
		medians[i] = r[len(r)/2]
	}
	return medians, nil
}

// calibrate returns the count with which a workload takes about so many seconds.
func calibrate(e engine, file string, seconds float64) (uint32, error) {
	start, _, err := timed(e, file, 0)
	if err != nil {
		return 0, err
	}
	for count := 8.0; ; {
		took, _, err := timed(e, file, uint32(count))
		if err != nil {
			return 0, err
		}
		net := (took - start).Seconds()
		if net > 0.8*seconds || count >= 1<<30 {
			return uint32(count), nil
		}
		// Code that was not run yet is slower than that which was: so in steps.
		count = min(1<<30, math.Ceil(count*max(1.3, min(4, seconds/max(net, 1e-6)))))
	}
}

// instructions returns how many guest instructions one more of a workload's count
// takes, on the average.
func instructions(simulator, bare string) (float64, error) {
	const few, more = 64, 1024
	var instret [2]float64
	for i, count := range []uint32{few, more} {
		if err := setCount(bare, count); err != nil {
			return 0, err
		}
		out, err := exec.Command(simulator, "run", bare, "--accel", "none", "--json").Output()
		if err != nil {
			return 0, fmt.Errorf("socsim run: %w", err)
		}
		var r struct {
			Instret uint64 `json:"instret"`
		}
		if err := json.Unmarshal(out, &r); err != nil {
			return 0, fmt.Errorf("socsim run --json: %w", err)
		}
		instret[i] = float64(r.Instret)
	}
	return (instret[1] - instret[0]) / (more - few), nil
}

// timed runs a workload and returns how long it took, and what it printed.
func timed(e engine, file string, count uint32) (time.Duration, string, error) {
	if e.build != "native" {
		if err := setCount(file, count); err != nil {
			return 0, "", err
		}
	}
	args := e.command(file, count)
	c := exec.Command(args[0], args[1:]...)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	start := time.Now()
	err := c.Run()
	took := time.Since(start)
	if err != nil {
		return 0, "", fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, &out)
	}
	return took, strings.TrimSpace(out.String()), nil
}

// flags are those of the compilers. Nothing sets gp, so the linker must not use it.
var flags = map[string][]string{
	"bare":   strings.Fields("riscv64-unknown-elf-gcc -march=rv32imc -mabi=ilp32 -ffreestanding -fno-tree-loop-distribute-patterns -nostdlib -static -Wl,--no-relax"),
	"linux":  strings.Fields("riscv64-unknown-elf-gcc -march=rv32imc -mabi=ilp32 -ffreestanding -fno-tree-loop-distribute-patterns -nostdlib -static -Wl,--no-relax"),
	"native": {"gcc"},
}

// build builds a workload for bare metal, Linux or the host, and returns its file.
func build(workload, kind, dir string) (string, error) {
	src := filepath.Join(dir, "src")
	if err := os.MkdirAll(src, 0o777); err != nil {
		return "", err
	}
	entries, err := sources.ReadDir("workloads")
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		text, err := sources.ReadFile("workloads/" + e.Name())
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(src, e.Name()), text, 0o666); err != nil {
			return "", err
		}
	}
	file := filepath.Join(dir, workload+"."+kind)
	args := append(slices.Clone(flags[kind]), "-O2", "-Wall", "-Wextra", "-Werror", "-o", file,
		filepath.Join(src, workload+".c"), filepath.Join(src, "start_"+kind+".c"))
	switch kind {
	case "bare":
		args = append(args, "-T", filepath.Join(src, "bare.ld"), "-Wl,--no-warn-rwx-segments", "-lgcc")
	case "linux":
		args = append(args, "-Wl,--no-warn-rwx-segments", "-lgcc")
	}
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return file, nil
}

// setCount writes a count into a built workload.
func setCount(file string, count uint32) error {
	f, err := elf.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return err
	}
	for _, s := range symbols {
		if s.Name != "workload_count" {
			continue
		}
		section := f.Sections[s.Section]
		w, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = w.WriteAt(binary.LittleEndian.AppendUint32(nil, count), int64(section.Offset+s.Value-section.Addr))
		return errors.Join(err, w.Close())
	}
	return fmt.Errorf("%s: no symbol workload_count", file)
}

// table is what is printed: instructions a second over those of a reference.
type table struct {
	engines []engine
	names   []string
	rates   [][]float64
}

func (t *table) add(workload string, rates []float64) {
	t.names, t.rates = append(t.names, workload), append(t.rates, rates)
}

// text has one block for each engine that others are compared with.
func (t *table) text() string {
	var b strings.Builder
	for ref, r := range t.engines {
		if r.name == "native" || r.name == "auto" && len(t.engines) == 1 {
			continue
		}
		fmt.Fprintf(&b, "\ntimes as fast as %s\n  %-12s", r.name, "")
		for _, e := range t.engines {
			fmt.Fprintf(&b, "%12s", e.name)
		}
		b.WriteString("\n")
		mean, worst := make([]float64, len(t.engines)), make([]float64, len(t.engines))
		for w, name := range t.names {
			fmt.Fprintf(&b, "  %-12s", name)
			for i, rate := range t.rates[w] {
				ratio := rate / t.rates[w][ref]
				mean[i] += math.Log(ratio)
				if w == 0 || ratio < worst[i] {
					worst[i] = ratio
				}
				fmt.Fprintf(&b, "%12.2f", ratio)
			}
			b.WriteString("\n")
		}
		for _, row := range []struct {
			name  string
			value func(i int) float64
		}{
			{"geom. mean", func(i int) float64 { return math.Exp(mean[i] / float64(len(t.names))) }},
			{"worst", func(i int) float64 { return worst[i] }},
		} {
			fmt.Fprintf(&b, "  %-12s", row.name)
			for i := range t.engines {
				fmt.Fprintf(&b, "%12.2f", row.value(i))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
