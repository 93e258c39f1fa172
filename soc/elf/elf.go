// Package elf reads the one kind of file a run starts from: a linked,
// static ELF32 little-endian RISC-V executable (System V ABI, chapters 4 and
// 5; RISC-V ELF psABI). It loads segments by physical address, finds symbols
// both ways, gives sections by name and, for reports only, source lines.
//
// It is a package of its own because it knows nothing of a simulated system:
// bytes in, guest memory and names out. Headers and segments are decoded here,
// so that every bad file gets one line that names the file and the cause;
// sections, symbols and DWARF come from the standard library.
//
// Left out: relocation, dynamic linking, thread-local storage set-up (the
// guest's start-up code does it), every other class, byte order and machine.
package elf

import (
	"crypto/sha256"
	stdelf "debug/elf"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
)

// Sizes and offsets of the ELF32 structures, System V ABI chapter 4 and 5.
const (
	headerSize  = 52
	programSize = 32

	offClass   = 4
	offData    = 5
	offType    = 16
	offMachine = 18
	offEntry   = 24
	offPhOff   = 28
	offShOff   = 32
	offFlags   = 36
	offPhSize  = 42
	offPhNum   = 44
	offShSize  = 46
	offShNum   = 48
)

// e_flags of RISC-V, psABI "File Header": the calling convention for floats.
const (
	flagFloatABI = 0x6
	floatSoft    = 0x0
	floatSingle  = 0x2
	floatDouble  = 0x4
	floatQuad    = 0x6
)

// File is a parsed executable. Parse is the only way to one.
type File struct {
	Name     string // as given to Parse; starts every error
	Entry    uint32
	Segments []Segment // what is loaded, in the order of the program headers
	Sections []Section // those that occupy guest memory, by address
	Warnings []string  // odd but loadable: one line each

	data    []byte
	symbols symbols
	lines   lines
}

// Segment is one PT_LOAD entry. Bytes past len(Data) up to Size are zero.
type Segment struct {
	Addr uint32 // physical
	Size uint32
	Data []byte // view of the file
}

// End returns the first address behind the segment, which may be 1<<32.
func (s Segment) End() uint64 { return uint64(s.Addr) + uint64(s.Size) }

// Section is a named piece of guest memory.
type Section struct {
	Name string
	Addr uint32 // virtual: where the code runs
	Size uint32
	Exec bool
}

// Parse reads an executable. The name only serves messages. The file keeps a
// view of data, which must not change.
func Parse(name string, data []byte) (*File, error) {
	f := &File{Name: name, data: data}
	if err := f.header(); err != nil {
		return nil, err
	}
	if err := f.programs(); err != nil {
		return nil, err
	}
	if err := f.sections(); err != nil {
		return nil, err
	}
	return f, nil
}

// SHA256 returns the digest of the whole file in hexadecimal.
func (f *File) SHA256() string {
	sum := sha256.Sum256(f.data)
	return hex.EncodeToString(sum[:])
}

// Section returns the section of that name.
func (f *File) Section(name string) (Section, bool) {
	for _, s := range f.Sections {
		if s.Name == name {
			return s, true
		}
	}
	return Section{}, false
}

// End returns the first address behind everything loaded.
func (f *File) End() uint64 {
	var end uint64
	for _, s := range f.Segments {
		end = max(end, s.End())
	}
	return end
}

// Load copies the segments into ram, whose first byte is guest address base,
// and zeroes their tails (bss). The entry must lie in ram too. Nothing is
// written unless everything fits.
func (f *File) Load(ram []byte, base uint32) error {
	end := uint64(base) + uint64(len(ram))
	for i, s := range f.Segments {
		if uint64(s.Addr) < uint64(base) || s.End() > end {
			return f.errorf("segment %d at 0x%08x-0x%08x lies outside RAM 0x%08x-0x%08x (link it there, or choose a platform with RAM at that place)",
				i, s.Addr, s.End()-1, base, end-1)
		}
	}
	if uint64(f.Entry) < uint64(base) || uint64(f.Entry) >= end {
		return f.errorf("entry 0x%08x lies outside RAM 0x%08x-0x%08x (does the program define its entry symbol, usually _start?)", f.Entry, base, end-1)
	}
	for _, s := range f.Segments {
		at := ram[s.Addr-base:][:s.Size]
		n := copy(at, s.Data)
		clear(at[n:])
	}
	return nil
}

func (f *File) errorf(format string, a ...any) error {
	return fmt.Errorf("%s: "+format, append([]any{f.Name}, a...)...)
}

func (f *File) u16(off uint64) uint16 { return binary.LittleEndian.Uint16(f.data[off:]) }
func (f *File) u32(off uint64) uint32 { return binary.LittleEndian.Uint32(f.data[off:]) }

// header checks that this is the kind of file we run.
func (f *File) header() error {
	d := f.data
	if len(d) < 4 || string(d[:4]) != stdelf.ELFMAG {
		return f.errorf("not an ELF file%s", looksLike(d))
	}
	if len(d) <= offData {
		return f.errorf("truncated: %d bytes, an ELF header has %d", len(d), headerSize)
	}
	switch {
	case d[offClass] == byte(stdelf.ELFCLASS64):
		return f.errorf("64-bit ELF; the core is 32-bit (compile with -march=rv32imc_zicsr_zifencei -mabi=ilp32)")
	case d[offClass] != byte(stdelf.ELFCLASS32):
		return f.errorf("bad ELF class %d, must be 1 (32-bit)", d[offClass])
	case d[offData] == byte(stdelf.ELFDATA2MSB):
		return f.errorf("big-endian ELF; the core is little-endian")
	case d[offData] != byte(stdelf.ELFDATA2LSB):
		return f.errorf("bad ELF byte order %d, must be 1 (little-endian)", d[offData])
	case len(d) < headerSize:
		return f.errorf("truncated: %d bytes, an ELF header has %d", len(d), headerSize)
	}
	if m := stdelf.Machine(f.u16(offMachine)); m != stdelf.EM_RISCV {
		return f.errorf("built for another machine (%v), not RISC-V", m)
	}
	switch t := stdelf.Type(f.u16(offType)); t {
	case stdelf.ET_EXEC:
	case stdelf.ET_REL:
		return f.errorf("a relocatable object file, not an executable (link it first)")
	case stdelf.ET_DYN:
		return f.errorf("dynamically linked or position-independent (link with -static -no-pie)")
	default:
		return f.errorf("not an executable (ELF type %v)", t)
	}
	f.Entry = f.u32(offEntry)
	if f.Entry&1 != 0 {
		return f.errorf("entry 0x%08x is odd; instructions lie at even addresses", f.Entry)
	}
	if abi := f.u32(offFlags) & flagFloatABI; abi != floatSoft {
		kind := map[uint32]string{floatSingle: "single", floatDouble: "double", floatQuad: "quad"}[abi]
		f.Warnings = append(f.Warnings, f.Name+": compiled for the "+kind+
			"-float ABI; the core has no FPU, so floating-point instructions are illegal here (compile with -mabi=ilp32)")
	}
	return nil
}

// looksLike guesses what a file that is not ELF may be.
func looksLike(d []byte) string {
	switch {
	case len(d) == 0:
		return " (it is empty)"
	case len(d) >= 8 && string(d[:8]) == "!<arch>\n":
		return " but a library archive (link it into a program)"
	case d[0] == ':' || d[0] == 'S' && len(d) > 1 && d[1] >= '0' && d[1] <= '9' || d[0] == '@':
		return "; it may be a hex image (give the ELF it was made from)"
	}
	return ""
}

// programs decodes the program headers.
func (f *File) programs() error {
	off, size, num := uint64(f.u32(offPhOff)), uint64(f.u16(offPhSize)), uint64(f.u16(offPhNum))
	have := uint64(len(f.data))
	if num > 0 && size != programSize {
		return f.errorf("program headers of %d bytes, must be %d", size, programSize)
	}
	if end := off + size*num; num > 0 && end > have {
		return f.errorf("truncated: program headers reach to byte %d, the file has %d", end, have)
	}
	for i := range num {
		at := off + i*size
		kind := stdelf.ProgType(f.u32(at))
		offset, paddr := uint64(f.u32(at+4)), f.u32(at+12)
		filesz, memsz := uint64(f.u32(at+16)), uint64(f.u32(at+20))
		switch {
		case kind == stdelf.PT_INTERP || kind == stdelf.PT_DYNAMIC:
			return f.errorf("dynamically linked (link with -static)")
		case kind != stdelf.PT_LOAD || memsz == 0 && filesz == 0:
			continue
		case offset+filesz > have:
			return f.errorf("truncated: segment %d reaches to byte %d, the file has %d", len(f.Segments), offset+filesz, have)
		case filesz > memsz:
			return f.errorf("segment %d holds %d bytes but occupies only %d", len(f.Segments), filesz, memsz)
		case uint64(paddr)+memsz > 1<<32:
			return f.errorf("segment %d at 0x%08x of %d bytes runs past the end of the address space", len(f.Segments), paddr, memsz)
		}
		f.Segments = append(f.Segments, Segment{Addr: paddr, Size: uint32(memsz), Data: f.data[offset:][:filesz]})
	}
	if len(f.Segments) == 0 {
		return f.errorf("nothing to load: no segment of type LOAD")
	}
	return f.overlaps()
}

func (f *File) overlaps() error {
	order := make([]int, len(f.Segments))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return int(int64(f.Segments[a].Addr) - int64(f.Segments[b].Addr))
	})
	for k := 1; k < len(order); k++ {
		a, b := f.Segments[order[k-1]], f.Segments[order[k]]
		if a.End() > uint64(b.Addr) {
			return f.errorf("segments %d and %d overlap at 0x%08x", order[k-1], order[k], b.Addr)
		}
	}
	return nil
}

// sections reads section headers and symbols with the standard library. A
// file without them loads too: it only has no names.
func (f *File) sections() error {
	off, size, num := uint64(f.u32(offShOff)), uint64(f.u16(offShSize)), uint64(f.u16(offShNum))
	if off == 0 {
		return nil
	}
	if end := off + size*num; end > uint64(len(f.data)) {
		return f.errorf("truncated: section headers reach to byte %d, the file has %d", end, len(f.data))
	}
	std, err := f.open()
	if err != nil {
		return f.errorf("damaged section headers: %v", err)
	}
	defer std.Close()
	for _, s := range std.Sections {
		if s.Flags&stdelf.SHF_ALLOC != 0 && s.Size > 0 {
			f.Sections = append(f.Sections, Section{
				Name: s.Name, Addr: uint32(s.Addr), Size: uint32(s.Size), Exec: s.Flags&stdelf.SHF_EXECINSTR != 0,
			})
		}
	}
	slices.SortStableFunc(f.Sections, func(a, b Section) int { return int(int64(a.Addr) - int64(b.Addr)) })
	return f.readSymbols(std)
}
