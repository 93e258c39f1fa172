package soc_test

import (
	"context"
	"fmt"
	"os"

	"socsim/soc"
	"socsim/soc/platform"
)

func Example() {
	file, err := os.ReadFile("testdata/foreign.elf")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := soc.New(soc.Options{Name: "foreign.elf", ELF: file, Accel: "shake-fifo"})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := s.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("ended by", r.Exit.Reason, "with code", r.Exit.Code)
	for _, row := range r.Ledger.Rows() {
		if row.Cycles > 0 {
			fmt.Printf("%-8s %4d  %s\n", row.Name, row.Cycles, row.Text)
		}
	}
	// Output:
	// ended by ecall with code 0
	// compute   179  the program's own work, everything not listed below
	// move_in   136  instructions that feed words to the accelerator, bus waits included
	// wait       15  held, or polling: a permutation runs, a DMA engine moves words, a coprocessor signs
	// move_out    3  instructions that fetch words from the accelerator, bus waits included
	// control    15  set-up, mode and start of the accelerator
}

// A slower bus to the accelerator.
func ExampleNew() {
	file, err := os.ReadFile("testdata/foreign.elf")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := platform.Load("default")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, bus := range []string{"obi", "0/10/10"} {
		if err := p.Set("accel.bus", bus); err != nil {
			fmt.Println(err)
			return
		}
		s, err := soc.New(soc.Options{Name: "foreign.elf", ELF: file, Platform: p, Accel: "shake-fifo"})
		if err != nil {
			fmt.Println(err)
			return
		}
		r, err := s.Run(context.Background())
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %d cycles to feed 34 words\n", bus, r.Ledger.MoveIn)
	}
	// Output:
	// obi: 34 cycles to feed 34 words
	// 0/10/10: 374 cycles to feed 34 words
}

// What a run that went wrong has to say.
func ExampleReport() {
	file, err := os.ReadFile("testdata/foreign.elf")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := soc.New(soc.Options{Name: "foreign.elf", ELF: file})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := s.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %s", r.Exit.Reason, r.Exit.Report)
	// Output:
	// unmapped: 4-byte store at 0x11000000: no device has this address
	//   at pc 0x80000006 in _start+0x6
	//   hint: the hash accelerator would answer here: attach it with --accel shake-fifo
	//   address map:
	//     0x02000000-0x0200ffff  clint
	//     0x10000000-0x100000ff  uart
	//     0x10001000-0x10001fff  info
	//     0x80000000-0x807fffff  RAM
}
