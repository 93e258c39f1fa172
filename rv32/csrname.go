package rv32

import (
	"fmt"
	"strings"
)

// csrNames are the CSR numbers with a name, in runs of consecutive numbers: the
// standard CSRs GNU objdump 2.40 knows, most of which this core has not. A
// name with %d is a run of count, numbered from first.
var csrNames = []struct {
	csr          uint32
	names        string
	first, count uint32
}{
	// Unprivileged
	{0x001, "fflags frm fcsr", 0, 0},
	{0x008, "vstart vxsat vxrm", 0, 0},
	{0x00f, "vcsr", 0, 0},
	{0x015, "seed", 0, 0},
	{0xc00, "cycle time instret", 0, 0},
	{0xc03, "hpmcounter%d", 3, 29},
	{0xc20, "vl vtype vlenb", 0, 0},
	{0xc80, "cycleh timeh instreth", 0, 0},
	{0xc83, "hpmcounter%dh", 3, 29},

	// Supervisor
	{0x100, "sstatus", 0, 0},
	{0x104, "sie stvec scounteren", 0, 0},
	{0x10a, "senvcfg", 0, 0},
	{0x10c, "sstateen%d", 0, 4},
	{0x114, "sieh", 0, 0},
	{0x140, "sscratch sepc scause stval sip", 0, 0},
	{0x14d, "stimecmp", 0, 0},
	{0x150, "siselect sireg", 0, 0},
	{0x154, "siph", 0, 0},
	{0x15c, "stopei stimecmph", 0, 0},
	{0x180, "satp", 0, 0},
	{0x5a8, "scontext", 0, 0},
	{0xda0, "scountovf", 0, 0},
	{0xdb0, "stopi", 0, 0},

	// Virtual supervisor and hypervisor
	{0x200, "vsstatus", 0, 0},
	{0x204, "vsie vstvec", 0, 0},
	{0x214, "vsieh", 0, 0},
	{0x240, "vsscratch vsepc vscause vstval vsip", 0, 0},
	{0x24d, "vstimecmp", 0, 0},
	{0x250, "vsiselect vsireg", 0, 0},
	{0x254, "vsiph", 0, 0},
	{0x25c, "vstopei vstimecmph", 0, 0},
	{0x280, "vsatp", 0, 0},
	{0x600, "hstatus", 0, 0},
	{0x602, "hedeleg hideleg hie htimedelta hcounteren hgeie hvien hvictl henvcfg", 0, 0},
	{0x60c, "hstateen%d", 0, 4},
	{0x613, "hidelegh", 0, 0},
	{0x615, "htimedeltah", 0, 0},
	{0x618, "hvienh", 0, 0},
	{0x61a, "henvcfgh", 0, 0},
	{0x61c, "hstateen%dh", 0, 4},
	{0x643, "htval hip hvip hviprio1 hviprio2", 0, 0},
	{0x64a, "htinst", 0, 0},
	{0x655, "hviph hviprio1h hviprio2h", 0, 0},
	{0x680, "hgatp", 0, 0},
	{0x6a8, "hcontext", 0, 0},
	{0xe12, "hgeip", 0, 0},
	{0xeb0, "vstopi", 0, 0},

	// Machine
	{0x300, "mstatus misa medeleg mideleg mie mtvec mcounteren", 0, 0},
	{0x308, "mvien mvip menvcfg", 0, 0},
	{0x30c, "mstateen%d", 0, 4},
	{0x310, "mstatush", 0, 0},
	{0x313, "midelegh mieh", 0, 0},
	{0x318, "mvienh mviph menvcfgh", 0, 0},
	{0x31c, "mstateen%dh", 0, 4},
	{0x320, "mcountinhibit", 0, 0},
	{0x323, "mhpmevent%d", 3, 29},
	{0x340, "mscratch mepc mcause mtval mip", 0, 0},
	{0x34a, "mtinst mtval2", 0, 0},
	{0x350, "miselect mireg", 0, 0},
	{0x354, "miph", 0, 0},
	{0x35c, "mtopei", 0, 0},
	{0x3a0, "pmpcfg%d", 0, 16},
	{0x3b0, "pmpaddr%d", 0, 64},
	{0x723, "mhpmevent%dh", 3, 29},
	{0x747, "mseccfg", 0, 0},
	{0x757, "mseccfgh", 0, 0},
	{0xb00, "mcycle", 0, 0},
	{0xb02, "minstret", 0, 0},
	{0xb03, "mhpmcounter%d", 3, 29},
	{0xb80, "mcycleh", 0, 0},
	{0xb82, "minstreth", 0, 0},
	{0xb83, "mhpmcounter%dh", 3, 29},
	{0xf11, "mvendorid marchid mimpid mhartid mconfigptr", 0, 0},
	{0xfb0, "mtopi", 0, 0},

	// Debug and trigger
	{0x7a0, "tselect tdata1 tdata2 tdata3 tinfo tcontrol", 0, 0},
	{0x7a8, "mcontext", 0, 0},
	{0x7aa, "mscontext", 0, 0},
	{0x7b0, "dcsr dpc dscratch0 dscratch1", 0, 0},
}

var csrNameOf = func() map[uint32]string {
	m := make(map[uint32]string)
	for _, run := range csrNames {
		for i := range run.count {
			m[run.csr+i] = fmt.Sprintf(run.names, run.first+i)
		}
		if run.count == 0 {
			for i, name := range strings.Fields(run.names) {
				m[run.csr+uint32(i)] = name
			}
		}
	}
	return m
}()

// CSRName returns the standard name of a CSR number, or the number in
// hexadecimal if it has none. It does not mean that the hart has the CSR.
func CSRName(n uint32) string {
	if name, ok := csrNameOf[n]; ok {
		return name
	}
	return fmt.Sprintf("%#x", n)
}
