package translate

// Offsets of the state in linear memory, from which run takes it and to which it
// returns it: the registers lie in front, four bytes each.
const (
	stateEntry    = 128 // number of the region to begin with
	statePC       = 132
	stateC        = 136 // i64
	stateDeadline = 144 // i64, as c: no instruction is begun at or behind it
	stateWindow   = 152
	stateRoom     = 156
	stateLoad     = 160 // register that was loaded for a jalr, or 0
	stateClass    = 164 // ledger class of the region that runs
	stateTrapped  = 168 // not 0: cycles stay with their class
	stateMark     = 176 // i64: cycles before it are booked ...
	stateSpent    = 512 // ... here, 256 times an i64
	stateBytes    = 4096
)

const (
	pageBytes = 1 << 16 // of WebAssembly

	targetBits  = 15
	targetBytes = 8 // an entry: the address with its low bit set; region << 1 | misaligned target

	// maxDepth is how deep calls nest on the host's stack, before all of it is left
	// for the dispatcher.
	maxDepth = 20_000
)

// arrange lays out linear memory: state, table of targets, RAM. It must end with a page.
func arrange(ramBase, ramSize uint32) (l layout, bytes uint64) {
	l = layout{ramBase: ramBase, ramSize: ramSize, targets: stateBytes, mask: 1<<targetBits - 1}
	least := uint64(stateBytes + targetBytes<<targetBits)
	bytes = (least + uint64(ramSize) + pageBytes - 1) &^ (pageBytes - 1)
	l.ram = uint32(bytes - uint64(ramSize))
	return l, bytes
}

// slot is the offset of the entry for target pc.
func (l *layout) slot(pc uint32) uint32 { return l.targets + pc>>1&l.mask*targetBytes }

// find pushes whether there is a region at the address in local pc; its entry is at
// l.targets from local at.
func (l *layout) find(c *code, pc, at uint32) {
	c.get(pc)
	c.i32(2) // pc is even
	c.op(opI32Shl)
	c.i32(l.mask * targetBytes)
	c.op(opI32And)
	c.tee(at)
	c.mem(opI32Load, l.targets)
	c.get(pc)
	c.i32(1)
	c.op(opI32Or, opI32Eq)
}

// misaligned pushes c with the cycle for the target added, whose entry find found.
func (l *layout) misaligned(c *code, counter, at uint32) {
	c.get(counter)
	c.get(at)
	c.mem(opI32Load, l.targets+4)
	c.i32(1)
	c.op(opI32And, opI64ExtU)
	c.i64(32)
	c.op(opI64Shl, opI64Add)
}

// runBody is the dispatcher: it runs one region after the other.
func (l *layout) runBody() code {
	const pc, at, n, counter = 0, 1, 2, 3
	var c code
	for r := uint8(1); r < 32; r++ {
		c.i32(0)
		c.mem(opI32Load, 4*uint32(r))
		c.gset(globalOf(r))
	}
	for _, s := range []struct {
		load          byte
		state, global uint32
	}{{opI64Load, stateDeadline, globalDeadline}, {opI32Load, stateWindow, globalWindow}, {opI32Load, stateRoom, globalRoom}, {opI32Load, stateClass, globalClass}} {
		c.i32(0)
		c.mem(s.load, s.state)
		c.gset(s.global)
	}
	c.i32(0)
	c.mem(opI32Load, stateEntry)
	c.set(n)
	c.op(opLoop, blockEmpty)
	c.get(counter)
	c.i32(maxDepth)
	c.get(n)
	c.op(opCallIndirect, typeRegion, 0)
	c.set(counter)
	c.tee(pc)
	c.i32(1)
	c.op(opI32And, opI32Eqz, opIf, blockEmpty)
	l.find(&c, pc, at)
	c.op(opIf, blockEmpty)
	l.misaligned(&c, counter, at)
	c.set(counter)
	c.get(at)
	c.mem(opI32Load, l.targets+4)
	c.i32(1)
	c.op(opI32ShrU)
	c.set(n)
	c.op(opBr, 2)
	c.op(opEnd, opEnd, opEnd)
	for r := uint8(1); r < 32; r++ {
		c.i32(0)
		c.gget(globalOf(r))
		c.mem(opI32Store, 4*uint32(r))
	}
	c.i32(0)
	c.gget(globalClass)
	c.mem(opI32Store, stateClass)
	c.i32(0)
	c.get(pc)
	c.mem(opI32Store, statePC)
	c.i32(0)
	c.get(counter)
	c.mem(opI64Store, stateC)
	return function([]locals{{3, typeI32}, {1, typeI64}}, c)
}

// gotoBody goes on at an address in place of its caller, if there is a region.
func (l *layout) gotoBody() code {
	const pc, counter, depth, at = 0, 1, 2, 3
	var c code
	c.get(depth)
	c.i32(0)
	c.op(opI32GtS, opIf, blockEmpty)
	l.find(&c, pc, at)
	c.op(opIf, blockEmpty)
	l.misaligned(&c, counter, at)
	c.get(depth)
	c.get(at)
	c.mem(opI32Load, l.targets+4)
	c.i32(1)
	c.op(opI32ShrU, opReturnCallI, typeRegion, 0)
	c.op(opEnd, opEnd)
	c.get(pc)
	c.get(counter)
	return function([]locals{{1, typeI32}}, c)
}

// crossBody books the cycles from the mark on under the class of the region that ran,
// and sets mark and class, as rv32's ledger does.
func crossBody() code {
	const class, counter, at = 0, 1, 2
	var c code
	c.i32(0)
	c.mem(opI32Load, stateTrapped)
	c.op(opI32Eqz, opIf, blockEmpty)
	c.get(counter)
	c.i64(32)
	c.op(opI64ShrU)
	c.set(counter)
	c.gget(globalClass)
	c.i32(3)
	c.op(opI32Shl)
	c.tee(at)
	c.get(at)
	c.mem(opI64Load, stateSpent)
	c.get(counter)
	c.op(opI64Add)
	c.i32(0)
	c.mem(opI64Load, stateMark)
	c.op(opI64Sub)
	c.mem(opI64Store, stateSpent)
	c.i32(0)
	c.get(counter)
	c.mem(opI64Store, stateMark)
	c.op(opEnd)
	c.get(class)
	c.gset(globalClass)
	return function([]locals{{1, typeI32}}, c)
}

// module returns the WebAssembly module of the functions of regions.
func (l *layout) module(bytes uint64, regions []code) []byte {
	m := code("\x00asm\x01\x00\x00\x00")
	section := func(id byte, items ...code) {
		var body code
		body.vector(items)
		m.section(id, body)
	}
	section(1,
		code{0x60, 0, 0},
		code{0x60, 2, typeI64, typeI32, 2, typeI32, typeI64},
		code{0x60, 3, typeI32, typeI64, typeI32, 2, typeI32, typeI64},
		code{0x60, 2, typeI32, typeI64, 0})
	types := []code{{typeRun}, {typeGoto}, {typeCross}}
	bodies := []code{l.runBody(), l.gotoBody(), crossBody()}
	var elements code
	elements.op(0)
	elements.i32(0)
	elements.op(opEnd)
	elements.u(uint32(len(regions)))
	for i := range regions {
		types = append(types, code{typeRegion})
		elements.u(firstRegion + uint32(i))
	}
	bodies = append(bodies, regions...)
	section(3, types...)

	limits := func(front []byte, n uint32) code {
		c := append(code(front), 1)
		c.u(n)
		c.u(n)
		return c
	}
	section(4, limits([]byte{0x70}, uint32(len(regions))))
	section(5, limits(nil, uint32(bytes/pageBytes)))
	vars := make([]code, globals)
	for i := range vars {
		vars[i] = code{typeI32, 1, opI32Const, 0, opEnd}
	}
	vars[globalDeadline] = code{typeI64, 1, opI64Const, 0, opEnd}
	section(6, vars...)
	var export code
	export.name("run")
	export.op(0, funcRun)
	section(7, export)
	section(9, elements)
	section(10, bodies...)
	return m
}
