package elf

import (
	"bytes"
	stdelf "debug/elf"
	"errors"
	"slices"
	"strings"
)

// Kind tells functions from data.
type Kind uint8

// Assembly labels carry no type unless their author gave one.
const (
	Label Kind = iota
	Object
	Function
)

// Symbol is a name with an address.
type Symbol struct {
	Name   string
	Addr   uint32
	Size   uint32 // 0 if the file does not say
	Kind   Kind
	Global bool
}

type symbols struct {
	all    []Symbol // by name, the best of each name first
	sized  []Symbol // functions and objects with a size, by address
	labels []Symbol // everything with a place in memory, by address
}

func (f *File) open() (*stdelf.File, error) { return stdelf.NewFile(bytes.NewReader(f.data)) }

func (f *File) readSymbols(std *stdelf.File) error {
	table, err := std.Symbols()
	if errors.Is(err, stdelf.ErrNoSymbols) {
		return nil
	}
	if err != nil {
		return f.errorf("damaged symbol table: %v", err)
	}
	for _, s := range table {
		kind := Label
		switch stdelf.ST_TYPE(s.Info) {
		case stdelf.STT_FUNC:
			kind = Function
		case stdelf.STT_OBJECT:
			kind = Object
		case stdelf.STT_NOTYPE:
		default: // sections, files, thread-local offsets
			continue
		}
		// The assembler's own: mapping symbols ($x, $d) and local labels.
		if s.Name == "" || s.Name[0] == '$' || strings.HasPrefix(s.Name, ".L") || s.Section == stdelf.SHN_UNDEF {
			continue
		}
		sym := Symbol{
			Name: s.Name, Addr: uint32(s.Value), Size: uint32(s.Size), Kind: kind,
			Global: stdelf.ST_BIND(s.Info) != stdelf.STB_LOCAL,
		}
		f.symbols.all = append(f.symbols.all, sym)
		if s.Section >= stdelf.SHN_LORESERVE { // absolute: a number, not a place
			continue
		}
		f.symbols.labels = append(f.symbols.labels, sym)
		if kind != Label && sym.Size > 0 {
			f.symbols.sized = append(f.symbols.sized, sym)
		}
	}
	slices.SortStableFunc(f.symbols.all, func(a, b Symbol) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return rank(b) - rank(a)
	})
	// Of several names for one address the best comes last: lookups take the
	// last entry at or below an address.
	byAddr := func(a, b Symbol) int {
		if a.Addr != b.Addr {
			return int(int64(a.Addr) - int64(b.Addr))
		}
		return rank(a) - rank(b)
	}
	slices.SortStableFunc(f.symbols.sized, byAddr)
	slices.SortStableFunc(f.symbols.labels, byAddr)
	return nil
}

// rank orders symbols that compete for one address or one name.
func rank(s Symbol) int {
	r := int(s.Kind)
	if s.Global {
		r += 4
	}
	return r
}

// Lookup finds a symbol by name; of several with one name a global one is
// preferred, then a function, then an object.
func (f *File) Lookup(name string) (Symbol, bool) {
	if all := f.All(name); len(all) > 0 {
		return all[0], true
	}
	return Symbol{}, false
}

// All returns every symbol of a name: static functions of several source
// files may share one.
func (f *File) All(name string) []Symbol {
	all := f.symbols.all
	lo, found := slices.BinarySearchFunc(all, name, func(s Symbol, n string) int { return strings.Compare(s.Name, n) })
	if !found {
		return nil
	}
	hi := lo
	for hi < len(all) && all[hi].Name == name {
		hi++
	}
	return slices.Clone(all[lo:hi])
}

// Names returns the names of all symbols of a kind, each once, sorted.
func (f *File) Names(kind Kind) []string {
	var names []string
	for _, s := range f.symbols.all {
		if s.Kind == kind && (len(names) == 0 || names[len(names)-1] != s.Name) {
			names = append(names, s.Name)
		}
	}
	return names
}

// Functions returns the functions that start inside a section, by address.
func (f *File) Functions(in Section) []Symbol {
	var list []Symbol
	for _, s := range f.symbols.labels {
		if s.Kind != Function || s.Addr-in.Addr >= in.Size {
			continue
		}
		if n := len(list); n > 0 && list[n-1].Addr == s.Addr {
			list[n-1] = s // the better name comes last
			continue
		}
		list = append(list, s)
	}
	return list
}

// Symbol names an address: the function or object that holds it, else the
// label nearest below it in the same section. Empty if there is none.
func (f *File) Symbol(addr uint32) (name string, offset uint32) {
	if s, ok := below(f.symbols.sized, addr); ok && addr-s.Addr < s.Size {
		return s.Name, addr - s.Addr
	}
	in, ok := f.sectionAt(addr)
	if !ok {
		return "", 0
	}
	// A function may be cut into sections of code that lie side by side.
	for in.Exec {
		before, ok := f.sectionAt(in.Addr - 1)
		if !ok || !before.Exec {
			break
		}
		in = before
	}
	if s, ok := below(f.symbols.labels, addr); ok && s.Addr >= in.Addr {
		return s.Name, addr - s.Addr
	}
	return "", 0
}

// below returns the last symbol at or below an address.
func below(list []Symbol, addr uint32) (Symbol, bool) {
	i, _ := slices.BinarySearchFunc(list, addr, func(s Symbol, a uint32) int {
		if s.Addr <= a {
			return -1
		}
		return 1
	})
	if i == 0 {
		return Symbol{}, false
	}
	return list[i-1], true
}

func (f *File) sectionAt(addr uint32) (Section, bool) {
	for _, s := range f.Sections {
		if addr-s.Addr < s.Size {
			return s, true
		}
	}
	return Section{}, false
}
