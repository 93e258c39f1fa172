package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"socsim/accel"
	"socsim/bus"
	"socsim/firmware"
	"socsim/internal/nearest"
	"socsim/pqc/xof"
	"socsim/soc/platform"
)

// section is one part of socsim list.
type section struct {
	name string
	text func(b *strings.Builder) error
}

var sections = []section{
	{"platforms", listPlatforms},
	{"firmware", listFirmware},
	{"accels", listAccels},
	{"sdith", listSDitH},
	{"experiments", listExperiments},
}

func (a *app) listCommand() *cobra.Command {
	var names []string
	for _, s := range sections {
		names = append(names, s.name)
	}
	return &cobra.Command{
		Use:   "list [" + strings.Join(names, "|") + "]",
		Short: "platforms, firmware, accelerators, coprocessors and experiments there are",
		Long:  "Lists what can be named on the command line, with a line on each.",

		DisableFlagsInUseLine: true,
		ValidArgs:             names,
		RunE: func(_ *cobra.Command, args []string) error {
			for _, arg := range args {
				if !slices.Contains(names, arg) {
					return usage("list: nothing is called %q%s; there are %s", arg, nearest.Hint(arg, names), strings.Join(names, ", "))
				}
			}
			var b strings.Builder
			for _, s := range sections {
				if len(args) > 0 && !slices.Contains(args, s.name) {
					continue
				}
				if b.Len() > 0 {
					b.WriteString("\n")
				}
				if err := s.text(&b); err != nil {
					return err
				}
			}
			fmt.Fprint(a.stdout, b.String())
			return nil
		},
	}
}

// pairs writes names and what they mean in two columns, broken at helpWidth.
func pairs(b *strings.Builder, rows [][2]string) {
	width := 0
	for _, r := range rows {
		width = max(width, len(r[0]))
	}
	indent := strings.Repeat(" ", width+4)
	for _, r := range rows {
		fmt.Fprintf(b, "  %-*s  %s\n", width, r[0], wrap(r[1], helpWidth-len(indent), indent))
	}
}

func listPlatforms(b *strings.Builder) error {
	var rows [][2]string
	for _, name := range platform.Builtin() {
		p, err := platform.Load(name)
		if err != nil {
			return err
		}
		rows = append(rows, [2]string{name, platformText(p)})
	}
	b.WriteString("Platforms (--platform NAME, or a TOML file)\n")
	pairs(b, rows)
	return nil
}

// platformText says in a line what a platform has.
func platformText(p *platform.Platform) string {
	var kinds []string
	number := map[string]int{}
	for _, d := range p.Devices {
		if number[d.Kind] == 0 {
			kinds = append(kinds, d.Kind)
		}
		number[d.Kind]++
	}
	for i, k := range kinds {
		if n := number[k]; n > 1 {
			kinds[i] = fmt.Sprintf("%d %s windows", n, k)
		}
	}
	text := fmt.Sprintf("%s of RAM at 0x%08x; %s", size(p.RAM.Size), p.RAM.Base, strings.Join(kinds, ", "))
	if p.Accel.Base != 0 {
		text += fmt.Sprintf("; room for an accelerator at 0x%08x", p.Accel.Base)
	}
	if p.SDitH.Base != 0 {
		text += fmt.Sprintf(", for an SDitH coprocessor at 0x%08x", p.SDitH.Base)
	}
	return text
}

// size writes bytes in the largest unit that divides them.
func size(n uint32) string {
	switch {
	case n > 0 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n > 0 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

// firmwareText says what the built-in programs do.
var firmwareText = map[string]string{
	"sphincs":   "SLH-DSA (FIPS 205) and SPHINCS+ round 3: -p SET -op keygen,sign,verify -variant fips205|r3 ...",
	"kyber":     "ML-KEM (FIPS 203) and Kyber round 3: -p SET -op keygen,encaps,decaps,checkek,checkdk -variant fips203|r3 -n RUNS ...",
	"dilithium": "ML-DSA (FIPS 204) and Dilithium round 3.1: -p SET -op keygen,sign,verify -variant fips204|r3 -n RUNS ...",
	"sdith":     "SDitH version 2: on the coprocessor (--sdith NAME), -sk -entropy -msg -wait; in software, -sw -op sign,verify ...",
	"falcon":    "Falcon round 3: -p SET -op keygen,sign,verify -padded -n RUNS ...",
	"hash":      "one hash, k times over: -in BYTES -out BYTES -mode MODE -k TIMES",
}

func listFirmware(b *strings.Builder) error {
	var rows [][2]string
	for _, name := range firmware.Names() {
		rows = append(rows, [2]string{name, firmwareText[strings.TrimSuffix(name, ".elf")]})
	}
	b.WriteString("Firmware (socsim run NAME [-- ARGUMENTS]; built in)\n")
	pairs(b, rows)
	return nil
}

// taken returns the parameters that a unit takes, without their common prefix.
func taken(c accel.Config) []string {
	list := []string{"cycles_per_round", "startup"}
	if c.HasFIFOs() {
		list = append(list, "fifo_depth")
	}
	if !c.AtLSU() && !c.InCore() {
		list = append(list, "bus")
	}
	if !c.InCore() {
		list = append(list, "line")
	}
	if c.Coupling == accel.DMA {
		list = append(list, "dma_line")
	}
	return list
}

func listAccels(b *strings.Builder) error {
	b.WriteString("Accelerators (--accel NAME, which is HASH-COUPLING) and the parameters they take\n")
	rows := [][2]string{{accel.None.String(), "nothing; hashing is software, of the hash that --hash names"}}
	for _, x := range accel.XOFs {
		for _, c := range accel.Couplings {
			unit := accel.Config{XOF: x, Coupling: c}
			rows = append(rows, [2]string{unit.Name(), strings.Join(taken(unit), " ")})
		}
	}
	pairs(b, rows)
	rows = nil
	for _, x := range accel.XOFs {
		rows = append(rows, [2]string{x.Name, x.Text})
	}
	b.WriteString("\nHashes\n")
	pairs(b, rows)
	rows = nil
	for _, c := range accel.Couplings {
		rows = append(rows, [2]string{c.String(), c.Text()})
	}
	b.WriteString("\nCouplings\n")
	pairs(b, rows)

	var hashes, buses []string
	for _, f := range xof.Families {
		hashes = append(hashes, f.Name)
	}
	for _, p := range bus.Presets {
		buses = append(buses, p.Name)
	}
	p, err := platform.Load("default")
	if err != nil {
		return err
	}
	d := accel.Config{XOF: accel.SHAKE, Coupling: accel.FIFO}.WithDefaults()
	fmt.Fprintf(b, "\nHashes in software, without an accelerator (--hash NAME)\n  %s\n", strings.Join(hashes, ", "))
	b.WriteString("\nParameters (--set KEY=VALUE; shown are the defaults, for shake). All are assumptions: none is a figure of\na published design. FIFO depths are also set one by one, and windows can be moved.\n")
	block := func(x *accel.XOF) string {
		return fmt.Sprint(accel.Config{XOF: x, Coupling: accel.FIFO}.WithDefaults().InputDepth)
	}
	parameters := map[string][2]string{ // default and text
		"accel.xof":              {p.Accel.XOF, "hash: the first part of an accelerator's name"},
		"accel.coupling":         {p.Accel.Coupling, "the second part; none: no accelerator. --accel sets both"},
		"accel.base":             {fmt.Sprintf("0x%08x", p.Accel.Base), "of ram, fifo, dma: address of the window"},
		"accel.lsu_base":         {fmt.Sprintf("0x%08x", p.Accel.LSUBase), "of lsu, lsux: address of the window at the core's load/store unit"},
		"accel.dma_base":         {fmt.Sprintf("0x%08x", p.Accel.DMABase), "of dma: address of the window of the DMA engine"},
		"accel.size":             {fmt.Sprintf("0x%x", p.Accel.Size), "bytes of each window"},
		"accel.line":             {fmt.Sprint(p.Accel.Line), "interrupt line, 16 to 31; the built-in programs sleep for 16"},
		"accel.dma_line":         {fmt.Sprint(p.Accel.DMALine), "interrupt line of the DMA engine; the built-in programs sleep for 17"},
		"accel.cycles_per_round": {d.CyclesPerRound.String(), "N, or N/M: 1/4 is four rounds a cycle; 0: rounds take no time"},
		"accel.startup":          {fmt.Sprint(d.Startup), "cycles each permutation takes on top of its rounds"},
		"accel.fifo_depth":       {block(accel.SHAKE), "words in each FIFO; 0 stands for the default, one block of the longest rate, so " + block(accel.Ascon) + " for ascon"},
		"accel.input_depth":      {block(accel.SHAKE), "words in the input FIFO, where it differs"},
		"accel.output_depth":     {block(accel.SHAKE), "words in the output FIFO, where it differs"},
		"accel.bus": {p.Accel.Bus, "way from the core: " + strings.Join(buses, ", ") + ", or waits GRANT/LOAD/STORE, " +
			"one access at a time unless /pipelined stands behind them"},
	}
	rows = nil
	for _, key := range p.Keys() {
		if strings.HasPrefix(key, "accel.") {
			x := parameters[key]
			rows = append(rows, [2]string{key + "=" + x[0], x[1]})
		}
	}
	rows = append(rows, [2]string{"clock_hz=" + fmt.Sprint(p.ClockHz), "turns cycles into time; changes no cycle count"})
	pairs(b, rows)
	b.WriteString("\nFor any other hash than shake, schemes are our own instances: no standard defines them.\n")
	return nil
}

// unique drops what a list has already, and keeps its order.
func unique(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// wrap breaks a text at spaces; lines after the first begin with an indent.
func wrap(text string, width int, indent string) string {
	var b strings.Builder
	n := 0
	for i, w := range strings.Fields(text) {
		switch {
		case i == 0:
		case n+1+len(w) > width:
			b.WriteString("\n" + indent)
			n = 0
		default:
			b.WriteString(" ")
			n++
		}
		b.WriteString(w)
		n += len(w)
	}
	return b.String()
}
