package soc

import (
	"bufio"
	"fmt"
	"io"

	"socsim/rv32"
)

// machineMode is the privilege level printed in every line: the core has no
// other.
const machineMode = 3

// commitLog writes one line per retired instruction in the layout of Spike's
// --log-commits: core, privilege, pc, encoding in its own width, the written
// register, the written CSR, the memory access. An instruction that traps does
// not retire and has no line. A semihosting call shows a0, its result; what the
// host writes to memory is not shown.
//
//	core   0: 3 0x80000000 (0x00000297) x5  0x80000000
//	core   0: 3 0x80000004 (0x4501) x10 0x00000000
//	core   0: 3 0x80000006 (0x0082a303) x6  0x00000007 mem 0x80000008
//	core   0: 3 0x8000000a (0x00628423) mem 0x80000008 0x07
//	core   0: 3 0x8000000e (0x30529073) c773_mtvec 0x80000100
type commitLog struct{ w *bufio.Writer }

func newCommitLog(w io.Writer) *commitLog { return &commitLog{bufio.NewWriterSize(w, 1<<16)} }

func (l *commitLog) retired(r rv32.Retired) {
	if r.Trap {
		return
	}
	fmt.Fprintf(l.w, "core%4d: %d 0x%08x (0x%0*x)", 0, machineMode, r.PC, 2*int(r.Len), r.Word)
	if r.RdValid {
		file, n := 'x', r.Rd
		if n >= rv32.FReg {
			file, n = 'f', n-rv32.FReg
		}
		fmt.Fprintf(l.w, " %c%-2d 0x%08x", file, n, r.RdValue)
	}
	if r.CSRValid {
		fmt.Fprintf(l.w, " c%d_%s 0x%08x", r.CSR, rv32.CSRName(uint32(r.CSR)), r.CSRValue)
	}
	if r.MemValid {
		fmt.Fprintf(l.w, " mem 0x%08x", r.MemAddr)
		if r.MemWrite {
			data := r.MemData & (^uint32(0) >> (32 - 8*uint32(r.MemBytes)))
			fmt.Fprintf(l.w, " 0x%0*x", 2*int(r.MemBytes), data)
		}
	}
	l.w.WriteByte('\n')
}
