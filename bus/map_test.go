package bus

import (
	"strings"
	"testing"

	"socsim/clock"
)

// echo answers every request at once with its offset, and remembers it.
type echo struct{ got []Request }

func (e *echo) Access(r Request) Response {
	e.got = append(e.got, r)
	return Response{Data: r.Addr, Grant: r.At, Valid: r.At + 1, Role: RoleStatus}
}

func TestNewMapErrors(t *testing.T) {
	tests := []struct {
		name    string
		windows []Window
		want    []string // all must be in the error
	}{
		{"zero size", []Window{{Name: "uart", Base: 0x1000_0000}}, []string{"uart", "size 0", "0x10000000"}},
		{"wraps", []Window{{Name: "top", Base: 0xffff_f000, Size: 0x1001}}, []string{"top", "1 bytes over the end"}},
		{"overlap by one byte", []Window{
			{Name: "b", Base: 0x1fff, Size: 0x10}, {Name: "a", Base: 0x1000, Size: 0x1000},
		}, []string{"windows a (0x00001000-0x00001fff) and b (0x00001fff-0x0000200e)", "from 0x00001fff"}},
		{"one within the other", []Window{
			{Name: "ram", Base: 0x8000_0000, Size: 0x8000_0000}, {Name: "dev", Base: 0xffff_fffc, Size: 4},
		}, []string{"ram", "dev"}},
		{"same base", []Window{
			{Name: "x", Base: 0x1000, Size: 4}, {Name: "y", Base: 0x1000, Size: 8},
		}, []string{"x (", "y ("}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := NewMap(tt.windows, nil)
			if err == nil {
				t.Fatalf("no error, map:\n%s", m.Text())
			}
			for _, w := range tt.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("error %q does not mention %q", err, w)
				}
			}
		})
	}
}

func TestMapTouchingWindows(t *testing.T) {
	m, err := NewMap([]Window{
		{Name: "high", Base: 0xffff_f000, Size: 0x1000, Target: &echo{}},
		{Name: "zero", Base: 0, Size: 0x1000, Target: &echo{}},
		{Name: "next", Base: 0x1000, Size: 4, Target: &echo{}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "0x00000000-0x00000fff  zero\n0x00001000-0x00001003  next\n0xfffff000-0xffffffff  high\n"
	if got := m.Text(); got != want {
		t.Errorf("map:\n%swant:\n%s", got, want)
	}
}

func TestDecode(t *testing.T) {
	uart, accelerator := &echo{}, &echo{}
	m, err := NewMap([]Window{
		{Name: "ram", Base: 0x8000_0000, Size: 0x80_0000},
		{Name: "uart", Base: 0x1000_0000, Size: 0x102, Target: uart},
		{Name: "lsu", Base: 0x1200_0000, Size: 0x1000, Target: accelerator},
	}, []Attachable{
		{Name: "the hash accelerator", Base: 0x1100_0000, Size: 0x1000, Option: "--accel shake-fifo"},
	})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		r      Request
		target *echo // nil: unmapped
		offset uint32
		what   string
		hint   string
	}{
		{"first byte", Request{Addr: 0x1000_0000, Bytes: 1}, uart, 0, "", ""},
		{"last halfword", Request{Addr: 0x1000_0100, Bytes: 2, Write: true}, uart, 0x100, "", ""},
		{"other window", Request{Addr: 0x1200_0ffc, Bytes: 4}, accelerator, 0xffc, "", ""},
		{"back", Request{Addr: 0x1000_0004, Bytes: 4}, uart, 4, "", ""},
		{"straddles the end", Request{Addr: 0x1000_0100, Bytes: 4}, nil, 0,
			"4-byte load at 0x10000100 runs over the end of uart (0x10000000-0x10000101)", "0x10000101"},
		{"just behind", Request{Addr: 0x1000_0102, Bytes: 1}, nil, 0,
			"1-byte load at 0x10000102: no device", "uart (0x10000000-0x10000101), 0x1 bytes below"},
		{"just before", Request{Addr: 0x0fff_fff0, Bytes: 4, Write: true}, nil, 0,
			"4-byte store at 0x0ffffff0: no device", "uart (0x10000000-0x10000101), 0x10 bytes above"},
		{"could be attached", Request{Addr: 0x1100_0ffc, Bytes: 4}, nil, 0,
			"no device", "the hash accelerator would answer here: attach it with --accel shake-fifo"},
		{"end of the attachable range", Request{Addr: 0x1100_1000, Bytes: 4}, nil, 0, "no device", "nearest is lsu"},
		{"far up", Request{Addr: 0xffff_fffc, Bytes: 4}, nil, 0, "no device", "ram (0x80000000-0x807fffff)"},
		{"RAM of the core", Request{Addr: 0x8000_0000, Bytes: 4}, nil, 0, "ram (0x80000000-0x807fffff) cannot be reached over the bus", ""},
	}
	core := m.Initiator("core")
	for n, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			uart.got, accelerator.got = nil, nil
			tt.r.At = clock.Cycle(100 * n)
			a := core.Access(tt.r)
			if tt.target == nil {
				if a.Fault == nil || a.Fault.Kind != Unmapped {
					t.Fatalf("fault: %+v, want unmapped", a.Fault)
				}
				if !strings.Contains(a.Fault.What, tt.what) || !strings.Contains(a.Fault.Hint, tt.hint) {
					t.Errorf("fault %+v, want what %q, hint %q", a.Fault, tt.what, tt.hint)
				}
				if a.Valid < a.Grant+1 || a.Grant < tt.r.At {
					t.Errorf("times of a fault: %+v", a)
				}
				if len(uart.got)+len(accelerator.got) != 0 {
					t.Errorf("a device saw the request")
				}
				return
			}
			if a.Fault != nil {
				t.Fatal(a.Fault)
			}
			if len(tt.target.got) != 1 || tt.target.got[0].Addr != tt.offset || a.Data != tt.offset || a.Role != RoleStatus {
				t.Errorf("target saw %+v, answer %+v, want offset %#x", tt.target.got, a, tt.offset)
			}
		})
	}
}

func TestDecodeEmptyMap(t *testing.T) {
	m, err := NewMap(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := m.Initiator("core").Access(Request{Addr: 0x10, Bytes: 4})
	if a.Fault == nil || a.Fault.Hint != "no device is attached at all" {
		t.Errorf("fault: %+v", a.Fault)
	}
}
