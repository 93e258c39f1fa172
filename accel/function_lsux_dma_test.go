package accel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"socsim/bus"
	"socsim/clock"
	"socsim/rv32"
)

// lsuxHash computes n bytes of output as hash does, most of the words by instructions,
// with a memory that answers as RAM does or later.
func (d *driver) lsuxHash(e *Engine, mode uint32, message []byte, n int) (out []byte) {
	instructions := e.Instructions()
	execute := func(i int) rv32.Outcome {
		o := instructions[i].Custom.Execute(nil, rv32.Decoded{}, d.at)
		if o.Fault != nil {
			d.t.Helper()
			d.t.Fatalf("%s in %d: %v", instructions[i].Name, d.at, o.Fault)
		}
		d.at = o.Last + 1 + clock.Cycle(d.rand.IntN(2))
		return o
	}
	d.store(0x04, mode)
	d.store(0x00, 1)
	d.store(0x08, uint32(n))
	for ; len(message) >= 4; message = message[4:] {
		w := binary.LittleEndian.Uint32(message)
		if d.rand.IntN(8) == 0 {
			d.store(0x20, w)
			continue
		}
		o := execute(0)
		instructions[0].Custom.Loaded(w, o.Last+1+clock.Cycle(d.rand.IntN(16)/15*9))
	}
	d.store(0x0c, tailOf(message))
	for len(out) < n {
		w := uint32(0)
		if d.rand.IntN(8) == 0 {
			w = d.load(0x24).Data
		} else {
			w = execute(1).Data
		}
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return out
}

// tailOf returns what LAST is set to for the last bytes of a message.
func tailOf(message []byte) uint32 {
	v := uint32(len(message)) << 24
	for k, b := range message {
		v |= uint32(b) << (8 * k)
	}
	return v
}

// dmaHash computes n bytes of output by transfers: one in a half of the cases, else some
// of whole words and, here and there, words that the core moves itself.
func (d *driver) dmaHash(ram ramBytes, mode uint32, message []byte, n int) (out []byte) {
	const dma, source, destination = Size, 0, 2048
	copy(ram[source:], message)
	for i := range n + 8 {
		ram[destination+i] = 0xee
	}
	wait := func() {
		for d.load(dma+0x10).Data&dmaStatusBusy != 0 {
		}
	}
	in, got := 0, 0
	opened, ended := uint32(dmaControlInit), uint32(dmaControlLast)
	d.store(0x04, mode)
	pieces := d.rand.IntN(2) == 1
	for ended != 0 || got < n {
		inBytes, outBytes := len(message)-in, n-got
		last := ended
		if pieces && ended != 0 && d.rand.IntN(3) > 0 {
			inBytes, outBytes, last = min(inBytes&^3, 4*d.rand.IntN(30)), 0, 0
		}
		if pieces && d.rand.IntN(3) > 0 {
			outBytes = min(outBytes, 4*d.rand.IntN(20))
		}
		if last == 0 && ended != 0 {
			outBytes = 0
		}
		if pieces && opened == 0 && last == 0 && d.rand.IntN(4) == 0 { // the core moves a word
			switch {
			case ended != 0 && len(message)-in >= 4:
				d.store(0x20, binary.LittleEndian.Uint32(message[in:]))
				in += 4
				continue
			case ended == 0 && n-got >= 4:
				d.store(0x08, uint32(got+4))
				ram.Store(uint32(destination+got), d.load(0x24).Data, 4)
				got += 4
				continue
			}
		}
		if inBytes > 0 {
			d.store(dma+0x04, uint32(source+in))
		}
		d.store(dma+0x08, uint32(destination+got))
		d.store(dma+0x0c, uint32(inBytes|outBytes<<16))
		d.store(dma+0x00, dmaControlStart|opened|last)
		opened = 0
		in, got = in+inBytes, got+outBytes
		if last != 0 {
			ended = 0
		}
		wait()
	}
	if b := ram[destination+n]; b != 0xee {
		d.t.Fatalf("the byte behind the output was written: %#x", b)
	}
	return ram[destination:][:n]
}

// Every hash over lsux and dma, in every mode: message and output lengths around words
// and rates, as against the host reference, and as many permutations as it counts, less
// those whose result is stored.
func TestLSUXAndDMAFunction(t *testing.T) {
	message := make([]byte, 2*168+5)
	for i := range message {
		message[i] = byte(5*i + i/256)
	}
	for _, x := range XOFs {
		for _, place := range []struct {
			coupling Coupling
			bus      string
			depth    int
		}{{LSUX, "", 0}, {LSUX, "", 1}, {LSUX, "", 5}, {DMA, "", 0}, {DMA, "", 1}, {DMA, "obi", 5}, {DMA, "apb", 0}} {
			c := Config{XOF: x, Coupling: place.coupling, InputDepth: place.depth, OutputDepth: place.depth}
			t.Run(fmt.Sprintf("%s %s depth %d", c.Name(), place.bus, place.depth), func(t *testing.T) {
				e, err := newEngine(c, clock.NewQueue(), defaultTiming)
				if err != nil {
					t.Fatal(err)
				}
				var hop *bus.Hop
				if place.bus != "" {
					if hop, err = bus.ParseHop(place.bus); err != nil {
						t.Fatal(err)
					}
				}
				d := newDriver(t, e, hop, uint64(place.depth))
				ram := make(ramBytes, 4096)
				if e.DMA() != nil {
					e.DMA().Master(ram)
				}
				var want, messages uint64
				f := family(t, x)
				modes := x.Modes
				if x.BigEndian || x == Ascon128 {
					modes = modes[:2] // all of them are one
				}
				for mode, m := range modes {
					r := m.Rate
					for _, n := range around(r) {
						for _, size := range around(r)[1:] {
							out := make([]byte, size)
							want += f.Functions[mode].Sum(out, message[:n])
							messages++
							var got []byte
							if place.coupling == DMA {
								got = d.dmaHash(ram, uint32(mode), message[:n], size)
							} else {
								got = d.lsuxHash(e, uint32(mode), message[:n], size)
							}
							if !bytes.Equal(got[:size], out) || len(bytes.Trim(got[size:], "\x00")) > 0 {
								t.Fatalf("mode %d, %d bytes in, %d out:\ngot  %x\nwant %x and zeros", mode, n, size, got, out)
							}
						}
					}
				}
				s := e.Statistics(d.at + 10)
				if got := s.Permutations + s.Messages*x.Modes[0].Stored; got != want || s.Messages != messages || s.Abandoned != 0 {
					t.Errorf("%+v, want %d permutations of %d messages", s, want, messages)
				}
			})
		}
	}
}

// around returns the lengths up to a few words, and around one rate and two.
func around(rate int) (list []int) {
	for n := range 2*rate + 5 {
		if n < 6 || n%rate < 5 || n%rate > rate-6 {
			list = append(list, n)
		}
	}
	return list
}
