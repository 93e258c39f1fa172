package mutation

// mutation is one fault to put in.
type mutation struct {
	what   string // is wrong then
	file   string // from the root of the project
	symbol string // of an ELF file: the function whose instruction is changed

	// The text to replace, which must be there once, and its replacement: in an ELF
	// file an instruction of the function as rv32 disassembles it, with a space for the
	// tab, and one of encodings.
	text, replacement string

	pkg    string   // the package, from the root, ...
	caught []string // ... whose tests must fail, each of them, with -short
}

// mutations has every row. A fault that no test notices is a test to write.
var mutations = []mutation{
	// The core's timing.
	{what: "a taken branch takes a cycle more than the RTL's",
		file: "rv32/timing.go", text: "slotBranchTaken = 3 ", replacement: "slotBranchTaken = 4 ",
		pkg: "rv32", caught: []string{"TestRTL"}},
	{what: "jalr does not wait for its own link",
		file: "rv32/timing.go", text: "ownLink      = 1 ", replacement: "ownLink      = 0 ",
		pkg: "rv32", caught: []string{"TestRTL"}},
	{what: "the core wakes from wfi a cycle late",
		file: "rv32/timing.go", text: "wfiWake       = 2 ", replacement: "wfiWake       = 3 ",
		pkg: "rv32", caught: []string{"TestRTL"}},
	{what: "withheld cycles are booked under the instruction, too",
		file: "rv32/ledger.go", text: "own -= b - a", replacement: "_ = b - a",
		pkg: "soc", caught: []string{"TestLedgerByHand"}},

	// The translator.
	{what: "translated code does not wait for the base of a jalr",
		file: "rv32/translate/terminate.go", text: "return uint64(rv32.JumpWait - spent)", replacement: "return 0",
		pkg: "rv32/translate", caught: []string{"TestLockstep"}},
	{what: "a return to a misaligned instruction costs translated code nothing",
		file: "rv32/translate/terminate.go", text: "	w.add(mis)\n	w.cross()", replacement: "	w.add(0 * mis)\n	w.cross()",
		pkg: "rv32/translate", caught: []string{"TestLockstep"}},
	{what: "translated code runs on over the deadline",
		file: "rv32/translate/region.go", text: "rest = max(rest, s.worst)", replacement: "rest = 0 * s.worst",
		pkg: "rv32/translate", caught: []string{"TestLockstep"}},
	{what: "translated stores go into code",
		file: "rv32/translate/instr.go", text: "g.store = g.store || c == rv32.CostStore", replacement: "g.store = g.store && c == rv32.CostStore",
		pkg: "rv32/translate", caught: []string{"TestCases"}},
	{what: "a class of the ledger begins late in translated code",
		file: "rv32/translate/module.go", text: "	c.mem(opI64Store, stateMark)", replacement: "	c.op(opDrop, opDrop)",
		pkg: "rv32/translate", caught: []string{"TestLockstep"}},
	{what: "a jump in translated code loses the wait of a load before it",
		file: "rv32/engine.go", text: "	if load != 0 {", replacement: "	if load == 255 {",
		pkg: "rv32/translate", caught: []string{"TestLockstep"}},

	// Bus and FIFO.
	{what: "a store over apb waits a cycle less",
		file: "bus/hop.go", text: `{Name: "apb", Grant: 0, ResponseLoad: 2, ResponseStore: 3,`, replacement: `{Name: "apb", Grant: 0, ResponseLoad: 2, ResponseStore: 2,`,
		pkg: "accel", caught: []string{"TestTimeline", "TestRAMTimeline"}},
	{what: "a serial hop lets the next access go on before the answer has passed it",
		file: "bus/initiator.go", text: "h.free = valid", replacement: "h.free = a.Valid",
		pkg: "bus", caught: []string{"TestHopTimes"}},
	{what: "a slot of a FIFO is free a cycle late",
		file: "fifo/fifo.go", text: "s.room = at + f.timing.Room", replacement: "s.room = at + f.timing.Room + 1",
		pkg: "fifo", caught: []string{"TestTimeline"}},

	// The SDitH coprocessor.
	{what: "a signature is done a cycle late",
		file: "sdith/device/job.go", text: "j.end = from + d.config.cycles(result.Cycles)", replacement: "j.end = from + d.config.cycles(result.Cycles) + 1",
		pkg: "sdith/device", caught: []string{"TestBusyToTheCycle", "TestInterrupt"}},
	{what: "entropy can be used twice",
		file: "sdith/device/job.go", text: "	d.entropy.forget()\n", replacement: "",
		pkg: "sdith/device", caught: []string{"TestAgain"}},
	{what: "a phase counts from its own start on",
		file: "sdith/device/job.go", text: "begin = j.ends[p-1]", replacement: "begin = j.ends[p-1] - min(2, j.ends[p-1])",
		pkg: "sdith/device", caught: []string{"TestCounters"}},
	{what: "clearing DONE in the cycle in which a signature sets it wins",
		file: "sdith/device/device.go", text: "	if !d.pending || d.job.end > at {", replacement: "	if !d.pending || d.job.end >= at {",
		pkg: "sdith/device", caught: []string{"TestInterrupt"}},

	// The FIFO engine.
	{what: "the first word behind a permutation is absorbed a cycle late",
		file: "accel/datapath.go", text: "d.absorbFrom = max(d.absorbFrom, d.permTo)", replacement: "d.absorbFrom = max(d.absorbFrom, d.permTo+1)",
		pkg: "accel", caught: []string{"TestTimeline"}},
	{what: "the padding needs no cycle",
		file: "accel/datapath.go", text: "absorb: 1, pad: 1,", replacement: "absorb: 1, pad: 0,",
		pkg: "accel", caught: []string{"TestTimeline"}},
	{what: "LAST is acted on in the cycle of its grant",
		file: "accel/engine.go", text: "e.last(tail, n, at+e.timing.write)", replacement: "e.last(tail, n, at)",
		pkg: "accel", caught: []string{"TestLazyIsEager"}},
	{what: "a load behind one that waits is granted a cycle late",
		file: "accel/engine.go", text: "e.turn = p + 1", replacement: "e.turn = p + 2",
		pkg: "accel", caught: []string{"TestLazyIsEager"}},
	{what: "over ascon8 the padded block is permuted with 8 rounds",
		file: "accel/xof.go", text: "Last: s.A,", replacement: "Last: s.B,",
		pkg: "accel", caught: []string{"TestTimeline"}},

	// The state RAM.
	{what: "the state can be accessed a cycle late",
		file: "accel/ram.go", text: "g = u.permTo", replacement: "g = u.permTo + 1",
		pkg: "accel", caught: []string{"TestRAMRegisters"}},
	{what: "DONE of IRQ is set a cycle late",
		file: "accel/ram.go", text: "u.pending && u.permTo <= at", replacement: "u.pending && u.permTo < at",
		pkg: "accel", caught: []string{"TestRAMRegisters"}},

	// Instructions of lsux, reg and regx, the DMA engine.
	{what: "ldfifo requests its load a cycle late",
		file: "accel/lsux.go", text: "g := max(first+ramAnswer, e.roomFrom()) - ramAnswer", replacement: "g := max(first+ramAnswer, e.roomFrom()) - ramAnswer + 1",
		pkg: "accel", caught: []string{"TestLSUXTimeline"}},
	{what: "a permute instruction leaves EX a cycle early",
		file: "accel/register.go", text: "Last: to - 1, HeldFrom: at,", replacement: "Last: max(at, to-2), HeldFrom: at,",
		pkg: "accel", caught: []string{"TestRegisterTimelines"}},
	{what: "a permute instruction does not wait for loads to its registers",
		file: "accel/register.go", text: "Execute: execute, Uses: set(uses)}", replacement: "Execute: execute}",
		pkg: "accel", caught: []string{"TestRegisterTiming"}},
	{what: "a word read by the DMA engine is pushed a cycle late",
		file: "accel/lsux.go", text: "const ramAnswer = 1", replacement: "const ramAnswer = 2",
		pkg: "accel", caught: []string{"TestDMATimeline"}},
	{what: "the core is granted the port of RAM in the cycle of a beat",
		file: "accel/dma.go", text: "d.beat == at; d.work(at + 1) {", replacement: "d.beat == at && false; d.work(at + 1) {",
		pkg: "accel", caught: []string{"TestDMAArbitration"}},
	{what: "what DMA writes into code is not decoded again",
		file: "rv32/step.go", text: "if h.code.stale {", replacement: "if h.code.stale && false {",
		pkg: "accel", caught: []string{"TestDMAWritesCode"}},

	// The ledger.
	{what: "waiting for a permutation is booked as waiting for output",
		file: "soc/ledger.go", text: "bus.Permuting: rowWait,", replacement: "bus.Permuting: rowWaitOut,",
		pkg: "soc", caught: []string{"TestLedgerByHand"}},

	// Energy.
	{what: "an edge of the fast loop counts from the instruction that is jumped to on",
		file: "rv32/code.go", text: "h.code.sums[i+1] - h.code.sums[t]", replacement: "h.code.sums[i] - h.code.sums[t]",
		pkg: "rv32", caught: []string{"TestLockstep", "TestCountsByHand"}},
	{what: "the first cycle of an access is a stall, too",
		file: "rv32/step.go", text: "h.ledger.stall(at+1, answer)", replacement: "h.ledger.stall(at, answer)",
		pkg: "rv32", caught: []string{"TestCountsByHand"}},
	{what: "a transaction over obi crosses a bridge",
		file: "soc/events.go", text: `const obi = "obi"`, replacement: `const obi = "none"`,
		pkg: "soc", caught: []string{"TestEvents"}},
	{what: "words of data do not cross the bus",
		file: "bench/energy/energy.go", text: `k("bus.obi") * (w.loads + w.stores + float64(e.Crossbar) + beats)`, replacement: `k("bus.obi") * (float64(e.Crossbar) + beats)`,
		pkg: "bench/energy", caught: []string{"TestOf"}},

	// Experiments.
	{what: "a row takes the place of another machine's",
		file: "bench/store/store.go", text: "err = os.Link(made, name)", replacement: "err = os.Rename(made, name)",
		pkg: "bench/store", caught: []string{"TestConflict"}},
	{what: "results are compared with a reference without the rows of the ledger",
		file: "bench/experiment/reference.go", text: "add(row.Name, row.Cycles, wanted[i].Cycles)", replacement: "_, _ = row, wanted[i]",
		pkg: "bench/experiment", caught: []string{"TestReference"}},
	{what: "shards depend on where they are cut, so that points are in two",
		file: "bench/experiment/cost.go", text: "places[least] = append(places[least], k)", replacement: "places[k%n] = append(places[k%n], k); places[least] = append(places[least], k)",
		pkg: "bench/experiment", caught: []string{"TestShards"}},

	// Firmware.
	{what: "driver fifo does not save a register of its caller",
		file: "firmware/sphincs.elf", symbol: "fifo_chains4", text: "sw x9,32(x2)", replacement: "nop",
		pkg: "firmware", caught: []string{"TestCallingConvention"}},
	{what: "driver ram does not save a register of its caller",
		file: "firmware/sphincs.elf", symbol: "ram_chains4", text: "sw x8,28(x2)", replacement: "nop",
		pkg: "firmware", caught: []string{"TestRAM"}},
	{what: "driver reg does not save a register of its caller",
		file: "firmware/sphincs.elf", symbol: "reg24_hash", text: "sw x18,4(x2)", replacement: "nop",
		pkg: "firmware", caught: []string{"TestCallingConvention"}},
	{what: "software Ascon does not store the last word of the state",
		file: "firmware/sphincs.elf", symbol: "ascon_p12", text: "sw x7,36(x10)", replacement: "nop",
		pkg: "firmware", caught: []string{"TestSoftware"}},
	{what: "a gate of the S-box is not there",
		file: "firmware/sdith.elf", symbol: "aes_sub_bytes", text: "and x26,x22,x23", replacement: "nop",
		pkg: "firmware", caught: []string{"TestSDitHKAT"}},
}
