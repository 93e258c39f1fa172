package translate

import "encoding/binary"

// The binary format of WebAssembly modules (core specification 2.0, chapter 5, and
// the tail-call proposal), as far as translated code needs it.

const (
	typeI32 = 0x7f
	typeI64 = 0x7e

	opUnreachable  = 0x00
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opElse         = 0x05
	opEnd          = 0x0b
	opBr           = 0x0c
	opBrTable      = 0x0e
	opReturn       = 0x0f
	opCall         = 0x10
	opCallIndirect = 0x11
	opReturnCall   = 0x12
	opReturnCallI  = 0x13
	opDrop         = 0x1a
	opSelect       = 0x1b
	opLocalGet     = 0x20
	opLocalSet     = 0x21
	opLocalTee     = 0x22
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24

	opI32Load    = 0x28
	opI64Load    = 0x29
	opI32Load8S  = 0x2c
	opI32Load8U  = 0x2d
	opI32Load16S = 0x2e
	opI32Load16U = 0x2f
	opI32Store   = 0x36
	opI64Store   = 0x37
	opI32Store8  = 0x3a
	opI32Store16 = 0x3b
	opI32Const   = 0x41
	opI64Const   = 0x42

	opI32Eqz  = 0x45
	opI32Eq   = 0x46
	opI32Ne   = 0x47
	opI32LtS  = 0x48
	opI32LtU  = 0x49
	opI32GtS  = 0x4a
	opI32GeS  = 0x4e
	opI32GeU  = 0x4f
	opI64GeU  = 0x5a
	opI32Clz  = 0x67
	opI32Add  = 0x6a
	opI32Sub  = 0x6b
	opI32Mul  = 0x6c
	opI32DivS = 0x6d
	opI32DivU = 0x6e
	opI32RemS = 0x6f
	opI32RemU = 0x70
	opI32And  = 0x71
	opI32Or   = 0x72
	opI32Xor  = 0x73
	opI32Shl  = 0x74
	opI32ShrS = 0x75
	opI32ShrU = 0x76
	opI32Rotr = 0x78
	opI64Add  = 0x7c
	opI64Sub  = 0x7d
	opI64Mul  = 0x7e
	opI64Shl  = 0x86
	opI64ShrU = 0x88
	opI32Wrap = 0xa7
	opI64ExtS = 0xac
	opI64ExtU = 0xad

	blockEmpty = 0x40
)

// code is a stretch of the binary format.
type code []byte

func (c *code) op(ops ...byte) { *c = append(*c, ops...) }
func (c *code) u(v uint32)     { *c = binary.AppendUvarint(*c, uint64(v)) }

// s appends a signed LEB128 number.
func (c *code) s(v int64) {
	for {
		b := byte(v & 0x7f)
		v >>= 7
		if v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
			*c = append(*c, b)
			return
		}
		*c = append(*c, b|0x80)
	}
}

func (c *code) i32(v uint32)       { c.op(opI32Const); c.s(int64(int32(v))) }
func (c *code) i64(v uint64)       { c.op(opI64Const); c.s(int64(v)) }
func (c *code) get(local uint32)   { c.op(opLocalGet); c.u(local) }
func (c *code) set(local uint32)   { c.op(opLocalSet); c.u(local) }
func (c *code) tee(local uint32)   { c.op(opLocalTee); c.u(local) }
func (c *code) gget(global uint32) { c.op(opGlobalGet); c.u(global) }
func (c *code) gset(global uint32) { c.op(opGlobalSet); c.u(global) }
func (c *code) call(f uint32)      { c.op(opCall); c.u(f) }

// mem appends a load or store; no more than byte alignment is promised, as the
// host needs none.
func (c *code) mem(op byte, offset uint32) { c.op(op, 0); c.u(offset) }

// vector appends the items with their number in front.
func (c *code) vector(items []code) {
	c.u(uint32(len(items)))
	for _, i := range items {
		*c = append(*c, i...)
	}
}

func (c *code) name(s string) { c.u(uint32(len(s))); *c = append(*c, s...) }

// section appends a section of a module.
func (c *code) section(id byte, body code) {
	c.op(id)
	c.u(uint32(len(body)))
	*c = append(*c, body...)
}

// locals is a number of locals of one type.
type locals struct {
	n   uint32
	typ byte
}

// function returns the body of a function as the code section has it.
func function(groups []locals, body code) code {
	var f code
	n := uint32(0)
	for _, g := range groups {
		if g.n > 0 {
			n++
		}
	}
	f.u(n)
	for _, g := range groups {
		if g.n > 0 {
			f.u(g.n)
			f.op(g.typ)
		}
	}
	f = append(append(f, body...), opEnd)
	var sized code
	sized.u(uint32(len(f)))
	return append(sized, f...)
}
