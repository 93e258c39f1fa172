package firmware_test

import (
	"strings"
	"testing"

	"socsim/firmware"
)

// Arguments with blanks, quotes, or nothing in them reach the program as they are.
func TestArgumentWords(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, tt := range []struct {
		args []string
		want string // on standard error; empty: the message signed
		m    string
	}{
		{[]string{"-msg", "str:it's a b"}, "", "it's a b"},
		{[]string{"-msg", `str:say "b"  `}, "", `say "b"  `},
		{[]string{"-msg", "str:'"}, "", "'"},
		{[]string{"-msg", "str:"}, "", ""},
		{[]string{"-p", ""}, `dilithium: -p: no parameter set ""; there are 44 65 87`, ""},
		{[]string{"'"}, "dilithium: ': no such flag", ""},
		{[]string{"-op", "keygen,"}, `dilithium: -op: no operation ""; there are`, ""},
		{[]string{"-op", ""}, "dilithium: -op: no operation; there are", ""},
	} {
		r, fields := recorded(t, "dilithium.elf", "shake-lsu", append([]string{"-p", "44"}, tt.args...)...)
		switch {
		case tt.want != "" && (r.Exit.Code != 2 || !strings.HasPrefix(r.errors, tt.want)):
			t.Errorf("%q: exit code %d, error %q, want %q", tt.args, r.Exit.Code, r.errors, tt.want)
		case tt.want == "" && (r.right() != nil || len(fields) != 3):
			t.Errorf("%q: %v", tt.args, r.right())
		case tt.want == "" && string(fields[1][firmware.RoleMessage]) != tt.m:
			t.Errorf("%q: the message is %q, want %q", tt.args, fields[1][firmware.RoleMessage], tt.m)
		}
	}
}
