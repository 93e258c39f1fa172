package accel

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/crypto/sha3"

	"socsim/bus"
	"socsim/clock"
	"socsim/pqc/xof"
)

// driver is a program on a bus: it issues its accesses one after the other,
// with random time between them.
type driver struct {
	t    testing.TB
	port *bus.Initiator
	at   clock.Cycle
	rand *rand.Rand
}

// newDriver puts the engine at address 0x1000, behind the hop if it is not nil.
func newDriver(t testing.TB, e Unit, hop *bus.Hop, seed uint64) *driver {
	t.Helper()
	var path []*bus.Hop
	if hop != nil {
		path = append(path, hop)
	}
	m, err := bus.NewMap([]bus.Window{{Name: "hash", Base: 0x1000, Size: Size, Path: path, Target: e.Target()}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &driver{t: t, port: m.Initiator("core"), rand: rand.New(rand.NewPCG(seed, 1))}
}

// access performs one access and moves on to a cycle in which the next one can
// be issued.
func (d *driver) access(r bus.Request) bus.Response {
	r.Addr += 0x1000
	r.Bytes = 4
	r.At = d.at + clock.Cycle(d.rand.IntN(4))
	if d.rand.IntN(30) == 0 {
		r.At += clock.Cycle(d.rand.IntN(60))
	}
	a := d.port.Access(r)
	if a.Fault != nil {
		d.t.Helper()
		d.t.Fatalf("%+v: %v", r, a.Fault)
	}
	d.at = a.Grant + 1
	return a
}

func (d *driver) store(offset, v uint32) bus.Response {
	return d.access(bus.Request{Addr: offset, Write: true, Data: v})
}

func (d *driver) load(offset uint32) bus.Response { return d.access(bus.Request{Addr: offset}) }

// hash computes n bytes of output, in the steps a driver in firmware takes. It
// uses DIN, DOUT and their other addresses in turn.
func (d *driver) hash(mode uint32, message []byte, n int) []byte {
	d.store(0x04, mode)
	d.store(0x00, 1)
	d.store(0x08, uint32(n))
	i := uint32(0)
	for ; len(message) >= 4; message = message[4:] {
		offset := uint32(0x20)
		if i%3 != 0 {
			offset = 0x40 + i%16*4
		}
		d.store(offset, binary.LittleEndian.Uint32(message))
		i++
	}
	tail := uint32(len(message)) << 24
	for k, b := range message {
		tail |= uint32(b) << (8 * k)
	}
	d.store(0x0c, tail)
	var out []byte
	for len(out) < n {
		offset := uint32(0x24)
		if i%3 != 0 {
			offset = 0x80 + i%16*4
		}
		out = binary.LittleEndian.AppendUint32(out, d.load(offset).Data)
		i++
	}
	return out
}

// reference computes a mode of shake with golang.org/x/crypto/sha3. For the
// SHA-3 functions n must be the digest's length.
func reference(mode uint32, message []byte, n int) []byte {
	out := make([]byte, n)
	switch mode {
	case 0:
		sha3.ShakeSum128(out, message)
	case 1:
		sha3.ShakeSum256(out, message)
	case 2:
		h := sha3.Sum256(message)
		copy(out, h[:])
	case 3:
		h := sha3.Sum512(message)
		copy(out, h[:])
	}
	return out
}

// Every mode, every message length up to two blocks and a bit, output lengths
// around the rate, small and large FIFOs, random request times, on several buses.
func TestFunction(t *testing.T) {
	modes := []struct {
		rate    int
		outputs []int
	}{
		{168, []int{1, 32, 167, 168, 169, 171, 172, 337}},
		{136, []int{2, 16, 135, 136, 137, 139, 140, 275}},
		{136, []int{32}},
		{72, []int{64}},
	}
	message := make([]byte, 2*168+5)
	r := rand.New(rand.NewPCG(7, 7))
	for i := range message {
		message[i] = byte(r.Uint32())
	}
	for _, depth := range []int{1, 2, 42} {
		for _, path := range []string{"", "obi", "ahb-lite", "apb"} {
			t.Run(fmt.Sprintf("depth %d, bus %s", depth, path), func(t *testing.T) {
				e, err := newEngine(Config{XOF: SHAKE, Coupling: FIFO, InputDepth: depth, OutputDepth: depth}, nil, defaultTiming)
				if err != nil {
					t.Fatal(err)
				}
				var hop *bus.Hop
				if path != "" {
					if hop, err = bus.ParseHop(path); err != nil {
						t.Fatal(err)
					}
				}
				d := newDriver(t, e, hop, uint64(depth))
				var permutations uint64
				for mode, m := range modes {
					for n := range 2*m.rate + 6 {
						out := m.outputs[n%len(m.outputs)]
						if len(m.outputs) > 1 && n%m.rate < 4 { // around the rate all of them
							for _, o := range m.outputs {
								permutations += check(t, d, uint32(mode), m.rate, message[:n], o)
							}
						}
						permutations += check(t, d, uint32(mode), m.rate, message[:n], out)
					}
				}
				if s := e.Statistics(d.at); s.Permutations != permutations || s.Abandoned != 0 || s.InputHighWater > depth || s.OutputHighWater > depth {
					t.Errorf("%+v, want %d permutations and no FIFO beyond %d", s, permutations, depth)
				}
			})
		}
	}
}

// check hashes once, compares and returns the permutations it should have taken:
// one for each full block and the padded one, and one for each further output block.
func check(t *testing.T, d *driver, mode uint32, rate int, message []byte, n int) uint64 {
	t.Helper()
	got, want := d.hash(mode, message, n), reference(mode, message, n)
	if !bytes.Equal(got[:n], want) {
		t.Fatalf("mode %d, %d bytes in, %d out:\ngot  %x\nwant %x", mode, len(message), n, got[:n], want)
	}
	for _, b := range got[n:] {
		if b != 0 {
			t.Fatalf("mode %d, %d bytes out: bytes beyond OUTLEN are %x, want zero", mode, n, got[n:])
		}
	}
	return uint64(len(message)/rate + 1 + (n-1)/rate)
}

// Another hash is another value: shake12, which is TurboSHAKE with D = 1F in
// modes 0 and 1, against the published vectors.
func TestOtherHash(t *testing.T) {
	const path = "../../shared/vectors/keccak/turboshake.json"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("shared vectors are not there: %v", err)
	}
	var file struct {
		Tests []struct {
			Alg, Msg, Out string
			D             byte
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	e, err := newEngine(Config{XOF: SHAKE12, Coupling: FIFO}, nil, defaultTiming)
	if err != nil {
		t.Fatal(err)
	}
	d := newDriver(t, e, nil, 3)
	checked := 0
	for _, v := range file.Tests {
		mode := uint32(strings.Index("TurboSHAKE128 TurboSHAKE256", v.Alg) / len("TurboSHAKE128"))
		want, err := hex.DecodeString(v.Out)
		if err != nil {
			t.Fatal(err)
		}
		var message []byte
		if number, pattern := strings.CutPrefix(v.Msg, "ptn"); pattern {
			n, err := strconv.Atoi(number)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				message = append(message, byte(i%251))
			}
		} else if message, err = hex.DecodeString(v.Msg); err != nil {
			t.Fatal(err)
		}
		if v.D != SHAKE12.Modes[mode].Suffix {
			continue
		}
		checked++
		if got := d.hash(mode, message, len(want)); !bytes.Equal(got[:len(want)], want) {
			t.Errorf("%s(%s):\ngot  %x\nwant %x", v.Alg, v.Msg, got, want)
		}
	}
	if checked < 4 {
		t.Errorf("only %d vectors had D = 1F", checked)
	}
}

// family is the host reference of a hash.
func family(t *testing.T, x *XOF) xof.Family {
	t.Helper()
	f, err := xof.FamilyByNumber(uint32(x.Number))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The hashes with a short rate: every message and output length up to three blocks
// and a bit, in every mode, as against the host reference; and as many permutations
// as it counts, less those whose result is stored.
func TestAsconFunction(t *testing.T) {
	message := make([]byte, 3*8+3)
	r := rand.New(rand.NewPCG(8, 8))
	for i := range message {
		message[i] = byte(r.Uint32())
	}
	for _, x := range []*XOF{Ascon, Ascon8, Ascon128} {
		for _, place := range []struct {
			coupling Coupling
			bus      string
		}{{LSU, ""}, {FIFO, "apb"}, {FIFO, "obi"}} {
			for _, depth := range []int{0, 1, 5} {
				c := Config{XOF: x, Coupling: place.coupling, InputDepth: depth, OutputDepth: depth}
				t.Run(fmt.Sprintf("%s %s depth %d", c.Name(), place.bus, depth), func(t *testing.T) {
					e, err := newEngine(c, nil, defaultTiming)
					if err != nil {
						t.Fatal(err)
					}
					var hop *bus.Hop
					if place.bus != "" {
						if hop, err = bus.ParseHop(place.bus); err != nil {
							t.Fatal(err)
						}
					}
					d := newDriver(t, e, hop, uint64(depth))
					f := family(t, x)
					var want uint64
					for mode, m := range x.Modes {
						for n := range len(message) + 1 {
							for size := 1; size <= len(message); size++ {
								out := make([]byte, size)
								want += f.Functions[mode].Sum(out, message[:n]) - m.Stored
								got := d.hash(uint32(mode), message[:n], size)
								if !bytes.Equal(got[:size], out) || len(bytes.Trim(got[size:], "\x00")) > 0 {
									t.Fatalf("mode %d, %d bytes in, %d out:\ngot  %x\nwant %x and zeros", mode, n, size, got, out)
								}
							}
						}
					}
					if s := e.Statistics(d.at); s.Permutations != want || s.Abandoned != 0 {
						t.Errorf("%d permutations, %d abandoned, want %d, 0", s.Permutations, s.Abandoned, want)
					}
				})
			}
		}
	}
}

// All modes of shake12 around their rates, at the load/store unit.
func TestSHAKE12Function(t *testing.T) {
	e, err := newEngine(Config{XOF: SHAKE12, Coupling: LSU}, nil, defaultTiming)
	if err != nil {
		t.Fatal(err)
	}
	d := newDriver(t, e, nil, 5)
	f := family(t, SHAKE12)
	message := make([]byte, 2*168+1)
	for i := range message {
		message[i] = byte(3 * i)
	}
	for mode, m := range SHAKE12.Modes {
		for _, n := range []int{0, 1, m.Rate - 1, m.Rate, m.Rate + 1, 2*m.Rate - 1, 2 * m.Rate, 2*m.Rate + 1} {
			for _, size := range []int{1, m.Rate - 1, m.Rate, m.Rate + 1, 2 * m.Rate} {
				want := make([]byte, size)
				f.Functions[mode].Sum(want, message[:n])
				if got := d.hash(uint32(mode), message[:n], size); !bytes.Equal(got[:size], want) {
					t.Errorf("mode %d, %d bytes in, %d out:\ngot  %x\nwant %x", mode, n, size, got, want)
				}
			}
		}
	}
}

// The published vectors of v1.2 and of SP 800-232, through the device.
func TestAsconVectors(t *testing.T) {
	for name, x := range map[string]*XOF{
		"ascon-xof-v12": Ascon, "ascon-xof-v12-long": Ascon, "ascon-xofa-v12": Ascon8, "ascon-xofa-v12-long": Ascon8,
		"ascon-xof128-sp800-232": Ascon128, "ascon-xof128-sp800-232-512": Ascon128,
	} {
		t.Run(name, func(t *testing.T) {
			path := "../../shared/vectors/ascon/" + name + ".json"
			text, err := os.ReadFile(path)
			if err != nil {
				t.Skipf("shared vectors are not there: %v", err)
			}
			var file struct{ Tests []struct{ Msg, Out string } }
			if err := json.Unmarshal(text, &file); err != nil {
				t.Fatal(err)
			}
			e, err := newEngine(Config{XOF: x, Coupling: FIFO}, nil, defaultTiming)
			if err != nil {
				t.Fatal(err)
			}
			d := newDriver(t, e, nil, 4)
			for i, v := range file.Tests {
				message, err := hex.DecodeString(v.Msg)
				if err != nil {
					t.Fatal(err)
				}
				n := len(v.Out) / 2
				if got := hex.EncodeToString(d.hash(uint32(i%4), message, n)[:n]); got != v.Out {
					t.Errorf("vector %d:\ngot  %s\nwant %s", i, got, v.Out)
				}
			}
			if len(file.Tests) < 10 {
				t.Errorf("only %d vectors", len(file.Tests))
			}
		})
	}
}
