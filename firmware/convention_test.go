package firmware_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"socsim/accel"
	"socsim/firmware"
	"socsim/soc"
	"socsim/soc/elf"
)

// Registers that a function gives back as it found them (RISC-V calling convention,
// ilp32), sp among them.
var calleeSaved = []int{2, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27}

// convention follows a run and checks every call. It knows registers by what
// instructions write.
type convention struct {
	functions map[uint32]string // by address
	x         [32]uint32
	calls     []call
	checked   map[string]int
	broken    map[string]string // what, by function
}

type call struct {
	name string
	back uint32 // return address
	x    [32]uint32
}

func (c *convention) see(i soc.Instruction) {
	const ra, sp = 1, 2
	for n := len(c.calls); n > 0 && c.calls[n-1].back == i.PC && c.calls[n-1].x[sp] == c.x[sp]; n-- {
		top := &c.calls[n-1]
		for _, r := range calleeSaved {
			if top.x[r] != c.x[r] {
				c.broken[top.name] = fmt.Sprintf("x%d is 0x%x, and was 0x%x", r, c.x[r], top.x[r])
			}
		}
		c.checked[top.name]++
		c.calls = c.calls[:n-1]
	}
	if name, ok := c.functions[i.PC]; ok && c.x[ra] != 0 {
		c.calls = append(c.calls, call{name, c.x[ra], c.x})
	}
	if i.RdValid && int(i.Rd) < len(c.x) {
		c.x[i.Rd] = i.RdValue
	}
}

// Drivers in assembly give back what their callers keep in registers, whether or not the
// callers of today do.
func TestCallingConvention(t *testing.T) {
	t.Parallel()
	var limits soc.Limits
	run := func(program, unit, hash, args string, wanted ...string) {
		data, err := firmware.ELF(program)
		if err != nil {
			t.Fatal(err)
		}
		file, err := elf.Parse(program, data)
		if err != nil {
			t.Fatal(err)
		}
		c := convention{functions: map[uint32]string{}, checked: map[string]int{}, broken: map[string]string{}}
		for _, name := range file.Names(elf.Function) {
			s, _ := file.Lookup(name)
			c.functions[s.Addr] = name
		}
		s, err := soc.New(soc.Options{Name: program, ELF: data, Accel: unit, Hash: hash, Args: strings.Fields(args), Console: io.Discard, Limits: limits})
		if err != nil {
			t.Fatal(err)
		}
		s.Observe(soc.Observer{Instruction: c.see})
		if r, err := s.Run(context.Background()); err != nil || r.Exit.Code != 0 && r.Exit.Reason != soc.MaxInstructions {
			t.Fatalf("%s %s%s %s: %v, %+v", program, unit, hash, args, err, r.Exit)
		}
		for name, what := range c.broken {
			t.Errorf("%s %s%s %s: %s returns with another register: %s", program, unit, hash, args, name, what)
		}
		for _, name := range wanted {
			if c.checked[name] == 0 {
				t.Errorf("%s %s%s %s: no call of %s was seen", program, unit, hash, args, name)
			}
		}
	}
	run("sphincs.elf", "shake-fifo", "", "-op keygen -nodigest", "fifo_chains4", "fifo_message")
	run("sphincs.elf", "shake-reg", "", "-op keygen -nodigest", "reg24_chains", "reg24_hash")
	limits.MaxInstructions = 5_000_000 // of the 100 million that it takes
	run("sdith.elf", "shake-lsu", "", "-sw -op sign -nodigest", "aes_sub_bytes", "aes_mix_columns")
	limits = soc.Limits{}
	for _, hash := range accel.XOFs {
		if testing.Short() && hash != accel.SHAKE && hash != accel.Ascon {
			continue
		}
		run("hash.elf", "none", hash.Name, "-in 41 -out 41 -piece 9 -align 1")
		for _, coupling := range accel.Couplings {
			unit := hash.Name + "-" + coupling.String()
			run("hash.elf", unit, "", "-in 400 -out 120")
			run("hash.elf", unit, "", "-in 400 -out 401 -piece 37 -align 3")
			if testing.Short() {
				continue
			}
			run("sphincs.elf", unit, "", "-op keygen -nodigest")
			if hash == accel.SHAKE {
				run("sphincs.elf", unit, "", "-p 192f -op keygen -nodigest")
				run("sphincs.elf", unit, "", "-p 256f -op keygen -nodigest")
			}
		}
	}
}
