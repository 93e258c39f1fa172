package pipeline

import (
	"reflect"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"socsim/sdith"
	"socsim/sdith/field"
)

type field128 = field.GF128

// What a machine holds is in memories and registers of stated size: no array of it has
// more bits, and no slice is elsewhere.
func TestStatedBits(t *testing.T) {
	for _, c := range Configs() {
		m := newTestMachine(t, c)
		switch hw := m.signer.(type) {
		case *machine[field.GF128]:
			statedBits(t, hw, m.Inventory())
		case *machine[field.GF192]:
			statedBits(t, hw, m.Inventory())
		case *machine[field.GF256]:
			statedBits(t, hw, m.Inventory())
		default:
			t.Fatalf("what is a %T?", hw)
		}
	}
}

func statedBits[E field.Element[E]](t *testing.T, m *machine[E], v Inventory) {
	stated := map[string]int{}
	for _, part := range v.Memories {
		stated[part.Name] += part.Bits
		if part.Bits != part.Words*part.Width {
			t.Errorf("%s: %s has %d bits, but %d words of %d", v.Config, part.Name, part.Bits, part.Words, part.Width)
		}
	}
	seen := map[*memory]bool{}
	var look func(path string, x reflect.Value)
	look = func(path string, x reflect.Value) {
		switch x.Kind() {
		case reflect.Pointer:
			mem, ok := reflect.NewAt(x.Type(), unsafe.Pointer(x.UnsafeAddr())).Elem().Interface().(*memory)
			if !ok {
				return // parameters, the schedule, the cipher's round keys
			}
			if seen[mem] {
				return
			}
			seen[mem] = true
			if bytes := (mem.bits() + 7) / 8; cap(mem.data) != bytes || stated[mem.name] < mem.bits() {
				t.Errorf("%s: %s holds %d bytes, states %d bits, the inventory %d", v.Config, mem.name, cap(mem.data), mem.bits(), stated[mem.name])
			}
		case reflect.Slice, reflect.Map:
			if path != ".ciphers.salt" && path != ".s.names" {
				t.Errorf("%s: %s is kept outside the memories", v.Config, path)
			}
		case reflect.Array:
			if x.Type().Size() > 1024 { // counts of phases and times are smaller
				t.Errorf("%s: %s holds %d bytes outside the memories", v.Config, path, x.Type().Size())
			}
			if x.Type().Elem().Kind() == reflect.Uint8 && x.Len() > 32 && path != ".ciphers.in" && path != ".ciphers.out" {
				t.Errorf("%s: %s holds %d bytes outside the memories", v.Config, path, x.Len())
			}
			for i := range x.Len() {
				look(path, x.Index(i))
			}
		case reflect.Struct:
			for i := range x.NumField() {
				look(path+"."+x.Type().Field(i).Name, x.Field(i))
			}
		}
	}
	look("", reflect.ValueOf(m).Elem())
	for _, mem := range m.memories() {
		if !seen[mem] {
			t.Errorf("%s: the inventory has %s, the machine does not", v.Config, mem.name)
		}
		delete(seen, mem)
	}
	for mem := range seen {
		t.Errorf("%s: %s is not in the inventory", v.Config, mem.name)
	}

	// Registers for elements: arrays of timed elements.
	elements := 0
	var count func(x reflect.Type)
	count = func(x reflect.Type) {
		switch {
		case x == reflect.TypeFor[timed[E]]():
			elements++
		case x.Kind() == reflect.Array:
			for range x.Len() {
				count(x.Elem())
			}
		case x.Kind() == reflect.Struct:
			for i := range x.NumField() {
				count(x.Field(i).Type)
			}
		}
	}
	count(reflect.TypeOf(m.elements))
	want := stated["mask polynomial"] + stated["sum polynomial"] + stated["multiplexers"]
	if elements*m.p.Lambda != want {
		t.Errorf("%s: %d elements in registers, the inventory has %d bits", v.Config, elements, want)
	}
	if got, spec := stated["multiplexers"], 25*m.p.Lambda; got != spec {
		t.Errorf("%s: the multiplexers hold %d bits, SPEC section 12.6 has %d", v.Config, got, spec)
	}
	if got, want := 8*(len(m.ciphers.in)+len(m.ciphers.out)), 4*256; got != want || stated["cipher inputs and outputs"] > want {
		t.Errorf("%s: the ciphers hold %d bits", v.Config, got)
	}
}

// The sizes of SPEC, section 12.6, and that HP0 has its witness lines where M was.
func TestMemories(t *testing.T) {
	for _, test := range []struct {
		set                                        *sdith.Params
		u, base, m, aBase, lines, cache, signature int
	}{
		{sdith.Cat1Fast, 1144, 9152, 144000, 18432, 78848, 32768, 35872},
		{sdith.Cat1Short, 1144, 12584, 144000, 18432, 74536, 32768, 29640},
		{sdith.Cat3Fast, 1664, 13312, 302848, 39936, 168192, 24576, 79328},
		{sdith.Cat3Short, 1664, 19968, 302848, 39936, 168192, 24576, 63712},
		{sdith.Cat5Fast, 2184, 17472, 520064, 69632, 292864, 32768, 140320},
		{sdith.Cat5Short, 2184, 26208, 520064, 69632, 288288, 32768, 112968},
	} {
		for _, half := range []bool{false, true} {
			v := newTestMachine(t, configOf(test.set, half)).Inventory()
			got := map[string]int{}
			memories, registers := 0, 0
			for _, part := range v.Memories {
				got[part.Name] = part.Bits
				if part.Registers {
					registers += part.Bits
				} else {
					memories += part.Bits
				}
			}
			if memories != v.MemoryBits || registers != v.RegisterBits {
				t.Errorf("%s: %d and %d bits, the parts have %d and %d", v.Config, v.MemoryBits, v.RegisterBits, memories, registers)
			}
			want := map[string]int{"u": test.u, "leaf sum": test.u, "base rows": test.base, "M": test.m, "a_base": test.aBase,
				"tree cache": test.cache, "signature": test.signature, "witness lines": test.lines}
			if !half {
				want["witness lines"] = 0
				if test.lines > test.m {
					t.Errorf("%s: the witness lines have no room where M was", v.Config)
				}
			}
			for name, bits := range want {
				if got[name] != bits {
					t.Errorf("%s: %s has %d bits, want %d", v.Config, name, got[name], bits)
				}
			}
		}
	}
}

// Bits go where they belong and leave their neighbours alone.
func TestBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.Byte(), 40, 40).Draw(t, "data")
		at := rapid.IntRange(0, 200).Draw(t, "at")
		n := rapid.IntRange(1, 100).Draw(t, "n")
		v := rapid.Uint32().Draw(t, "v")
		if n < 32 {
			v &= 1<<n - 1
		}
		before := append([]byte(nil), data...)
		putWide(data, at, v, n)
		for i := range 8 * len(data) {
			want := bitAt(before, i)
			if i >= at && i < at+n {
				want = 0
				if i-at < 32 {
					want = byte(v >> (i - at) & 1)
				}
			}
			if bitAt(data, i) != want {
				t.Fatalf("bit %d is %d, want %d", i, bitAt(data, i), want)
			}
		}
		if got := getBits(data, at, min(n, 32)); got != v {
			t.Fatalf("%#x comes back as %#x", v, got)
		}
		moved := make([]byte, 16)
		moveBits(moved, data, at, n)
		for i := range 8 * len(moved) {
			want := byte(0)
			if i < n {
				want = bitAt(data, at+i)
			}
			if bitAt(moved, i) != want {
				t.Fatalf("moved: bit %d is %d, want %d", i, bitAt(moved, i), want)
			}
		}
	})
}
