package firmware

import (
	"bytes"
	"debug/elf"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

func TestNames(t *testing.T) {
	if got, want := Names(), []string{"dilithium.elf", "falcon.elf", "hash.elf", "kyber.elf", "sdith.elf", "sphincs.elf"}; !slices.Equal(got, want) {
		t.Errorf("Names() = %q, want %q", got, want)
	}
	if _, err := ELF("hash"); err == nil {
		t.Error(`ELF("hash"): no error, want one: the file is called hash.elf`)
	}
}

// program opens a built-in program.
func program(t *testing.T, name string) *elf.File {
	t.Helper()
	b, err := ELF(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.NewFile(bytes.NewReader(b))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return f
}

// A function cut into pieces works only if they lie one after the other: control
// falls from one into the next.
func TestPiecesAreAdjacent(t *testing.T) {
	piece := regexp.MustCompile(`^\.text\.hal\.[a-z]+\.([a-z0-9]+)\.([0-9]+)$`)
	for _, name := range Names() {
		sections := map[string]*elf.Section{} // by function and number
		counts := map[string]int{}
		for _, s := range program(t, name).Sections {
			if m := piece.FindStringSubmatch(s.Name); m != nil {
				sections[m[1]+"."+m[2]] = s
				counts[m[1]]++
			}
		}
		for _, want := range []string{"feed", "fetch", "message", "chains4", "chains6", "chains8",
			"ramput", "ramget", "ramwait", "ramkeccak", "ramascon", "ramchains4", "ramchains6", "ramchains8",
			"lsuxfeed", "lsuxfetch", "lsuxmessage", "lsuxchains4", "lsuxchains6", "lsuxchains8",
			"dmarunpoll", "dmarunwfi", "dmachainspoll", "dmachainswfi",
			"reg24", "regx12", "reg24chains4", "reg12chains8", "regascon", "regascon128absorb", "regascon8chains6"} {
			if counts[want] == 0 {
				t.Errorf("%s: no piece of %s", name, want)
			}
		}
		for function, n := range counts {
			for i := range n {
				s, ok := sections[function+"."+strconv.Itoa(i)]
				if !ok {
					t.Errorf("%s: %s has %d pieces, but none with number %d", name, function, n, i)
					continue
				}
				if next, ok := sections[function+"."+strconv.Itoa(i+1)]; ok && s.Addr+s.Size != next.Addr {
					t.Errorf("%s: %s ends at %#x, %s begins at %#x", name, s.Name, s.Addr+s.Size, next.Name, next.Addr)
				}
			}
		}
	}
}

// What the simulator and QEMU count on.
func TestLayout(t *testing.T) {
	const page = 4096
	for _, name := range Names() {
		f := program(t, name)
		if f.Entry != 0x80000000 {
			t.Errorf("%s: entry %#x, want the start of RAM", name, f.Entry)
		}
		var code, data uint64 // first page behind the code, first page of written data
		for _, p := range f.Progs {
			switch {
			case p.Type != elf.PT_LOAD:
			case p.Flags&elf.PF_X != 0:
				code = (p.Vaddr + p.Memsz + page - 1) / page
			case p.Flags&elf.PF_W != 0:
				data = p.Vaddr / page
			}
		}
		if code == 0 || data == 0 || data < code {
			t.Errorf("%s: code up to page %#x, written data from page %#x: a page has both", name, code, data)
		}
		for _, s := range []string{".text.roi", ".text.hal.movein", ".text.hal.moveout", ".text.hal.control"} {
			if f.Section(s) == nil {
				t.Errorf("%s: no section %s", name, s)
			}
		}
		symbols, err := f.Symbols()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		regions := map[string][]string{
			"hash.elf":      {"hash"},
			"dilithium.elf": {"keygen", "sign", "verify"},
			"kyber.elf":     {"keygen", "encaps", "decaps", "checkek", "checkdk"},
			"sdith.elf":     {"load", "sign", "unload", "verify"},
			"sphincs.elf":   {"keygen", "sign", "verify"},
		}[name]
		for _, want := range append(regions, RecordSymbol) {
			if !slices.ContainsFunc(symbols, func(s elf.Symbol) bool { return s.Name == want }) {
				t.Errorf("%s: no symbol %s", name, want)
			}
		}
	}
}

// The path of the folder the programs were built in must not be in them.
func TestNoPaths(t *testing.T) {
	for _, name := range Names() {
		b, _ := ELF(name)
		for _, path := range []string{"/firmware", "/home/", "/root/", "/tmp/"} {
			if i := bytes.Index(b, []byte(path)); i >= 0 {
				t.Errorf("%s holds %s", name, fmt.Sprintf("%q", b[max(0, i-40):min(len(b), i+40)]))
			}
		}
	}
}
