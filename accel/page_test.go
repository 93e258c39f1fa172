package accel_test

import (
	"encoding/binary"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/accel"
	"socsim/bus"
	"socsim/clock"
)

// README.md shows the file that Example is in, all of it.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```go\n")
	shown, _, _ := strings.Cut(rest, "```\n")
	if diff := cmp.Diff(string(code), shown); diff != "" {
		t.Errorf("example_test.go (-) and README.md (+):\n%s", diff)
	}
	if n := strings.Count(shown, "\n"); n > 60 {
		t.Errorf("the page promises 60 lines and shows %d", n)
	}
}

// keccak800 against the Keccak team's known answers for Keccak[r=544, c=256]
// (ShortMsgKAT_Keccakr544c256.txt of the XKCP), 512 bytes each, of which the first and
// the last are here. The third message is a block, behind which the padding is another.
func TestPublished(t *testing.T) {
	for _, c := range []struct{ message, first, last string }{
		{"", "a3cea55cfd9f4432ad3f9ae33673ae12665f66d150a11af54e007c7f26f7c9a6", "a4b7230efb923a640ea2ef030ab2de7c"},
		{"cc", "40e2f4557122acb519abcba26b4da7ed90d1c743b9f8372a2777ca63768b62cb", "0470e7bef29ae2bfa79b9e70eb5fe1ab"},
		{"36f9f0a65f2ca498d739b944d6eff3da5ebba57e7d9c41598a2b0e4380f3cf4b479ec2348d015ffe6256273511154afcf3b4b4bf09d6c4744fdd0f62d75079d440706b05",
			"872106c888c6070dfdfa3454e8db3873ae744e54540d719e7ea0f67c1d7784e6", "242d28c30eada3360d331e384974c2dacf"},
	} {
		message, err := hex.DecodeString(c.message)
		if err != nil {
			t.Fatal(err)
		}
		for _, coupling := range []accel.Coupling{accel.FIFO, accel.LSU} {
			got := hex.EncodeToString(squeeze(t, accel.Config{XOF: keccak800, Coupling: coupling}, message, 512))
			if !strings.HasPrefix(got, c.first) || !strings.HasSuffix(got, c.last) {
				t.Errorf("%s of %q: %.64s ... %s, published %s ... %s", coupling, c.message, got, got[len(got)-32:], c.first, c.last)
			}
		}
	}
}

// squeeze gets n bytes of output, whole words, from a unit behind FIFOs.
func squeeze(t *testing.T, c accel.Config, message []byte, n int) (out []byte) {
	t.Helper()
	unit, err := accel.New(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	var at clock.Cycle
	access := func(r bus.Request) uint32 {
		r.Bytes, r.At = 4, at
		a := unit.Target().Access(r)
		if a.Fault != nil {
			t.Fatalf("%+v: %v", r, a.Fault)
		}
		at = a.Grant + 1
		return a.Data
	}
	store := func(offset, v uint32) { access(bus.Request{Addr: offset, Write: true, Data: v}) }
	store(0x08, uint32(n))
	store(0x00, 1)
	for ; len(message) >= 4; message = message[4:] {
		store(0x20, binary.LittleEndian.Uint32(message))
	}
	tail := append(message[:len(message):len(message)], 0, 0, 0)
	store(0x0c, uint32(len(message))<<24|uint32(tail[0])|uint32(tail[1])<<8|uint32(tail[2])<<16)
	for len(out) < n {
		out = binary.LittleEndian.AppendUint32(out, access(bus.Request{Addr: 0x24}))
	}
	return out
}

// What makes no sense in a hash is named, before it is built.
func TestXOFCheck(t *testing.T) {
	for _, x := range append([]*accel.XOF{keccak800}, accel.XOFs...) {
		if err := x.Check(); err != nil {
			t.Errorf("%s: %v", x.Name, err)
		}
	}
	for _, c := range []struct {
		edit func(*accel.XOF)
		want string
	}{
		{func(x *accel.XOF) { x.Name = "" }, "it needs a Name"},
		{func(x *accel.XOF) { x.Number = 0 }, "its Number is 0"},
		{func(x *accel.XOF) { x.Number = 2 }, "Number 2 is that of shake12"},
		{func(x *accel.XOF) { x.Name = "ascon8" }, "is that of ascon8"},
		{func(x *accel.XOF) { x.Lanes = 0 }, "0 Lanes of state: there must be 1 to 25"},
		{func(x *accel.XOF) { x.Lanes = 26 }, "26 Lanes of state"},
		{func(x *accel.XOF) { x.Permute = nil }, "it has no Permute"},
		{func(x *accel.XOF) { x.Modes = nil }, "MODE is 1 out of reset, but there are 0 Modes"},
		{func(x *accel.XOF) { x.Modes[2].Rate = 66 }, "Modes[2] has a Rate of 66 bytes"},
		{func(x *accel.XOF) { x.Modes[0].Rate = 108 }, "Modes[0] has a Rate of 108 bytes: it must be whole words of 4 bytes of a state of 104"},
		{func(x *accel.XOF) { x.Modes[3].Start = make([]uint64, 14) }, "Modes[3] has a Start of 14 lanes, the state has 13"},
		{func(x *accel.XOF) { x.Modes[1].Rounds.Squeeze = 0 }, "Modes[1] has Rounds {Block:22 Last:22 Squeeze:0}"},
	} {
		x := *keccak800
		x.Modes = append([]accel.Mode{}, x.Modes...)
		c.edit(&x)
		_, err := accel.New(accel.Config{XOF: &x, Coupling: accel.FIFO}, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
