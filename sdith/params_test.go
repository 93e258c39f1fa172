package sdith

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The derived sizes of SPEC, section 2.
func TestSizes(t *testing.T) {
	type sizes struct{ a, nIn, nC, nZ, l, lb, nM, pb, pk, sk, sig, n, r int }
	for i, want := range []sizes{
		{11, 616, 144, 384, 1144, 143, 1000, 17, 70, 163, 4484, 10360, 4096},
		{11, 616, 144, 384, 1144, 143, 1000, 17, 70, 163, 3705, 10360, 22528},
		{12, 876, 208, 576, 1664, 208, 1456, 25, 98, 232, 9916, 18396, 6144},
		{12, 876, 208, 576, 1664, 208, 1456, 25, 98, 232, 7964, 18396, 65536},
		{11, 1144, 272, 768, 2184, 273, 1912, 33, 132, 307, 17540, 19864, 8192},
		{11, 1144, 272, 768, 2184, 273, 1912, 33, 132, 307, 14121, 19864, 86016},
	} {
		p := Sets[i]
		if err := p.Check(); err != nil {
			t.Error(err)
		}
		got := sizes{p.ControlBits(), p.WitnessBits(), p.CheckBits(), p.MaskBits(), p.VOLEBits(), p.VOLESize(), p.CheckedBits(), p.PoWSize(),
			p.PublicKeySize(), p.SecretKeySize(), p.SignatureSize(), p.CodeLength(), p.Leaves()}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(sizes{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", p.Name, diff)
		}
	}
}

func TestSetByName(t *testing.T) {
	for _, p := range Sets {
		if got, err := SetByName(p.Name); err != nil || got != p {
			t.Errorf("%s: got %v, %v", p.Name, got, err)
		}
	}
	if _, err := SetByName("cat2_fast"); err == nil || !strings.Contains(err.Error(), "cat1_fast, ") {
		t.Errorf("cat2_fast: error %v, want one that lists the sets", err)
	}
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		reason string
		change func(*Params)
	}{
		{"λ = 160", func(p *Params) { p.Lambda = 160 }},
		{"κ = 0", func(p *Params) { p.Kappa = 0 }},
		{"κ = 17", func(p *Params) { p.Kappa, p.Tau = 17, 1 }},
		{"τ = 0", func(p *Params) { p.Tau = 0 }},
		{"τ = 17", func(p *Params) { p.Tau = 17 }}, // κ·τ = 136
		{"T_open = 0", func(p *Params) { p.Open = 0 }},
		{"T_open = 4096", func(p *Params) { p.Open = 4096 }},
		{"w_pow = -1", func(p *Params) { p.PoWBits = -1 }},
		{"w_pow = 25", func(p *Params) { p.PoWBits = 25 }},
		{"μ_1 = 2", func(p *Params) { p.Mu[1] = 2 }},
		{"μ_3 = 5", func(p *Params) { p.Mu[3] = 5 }},
		{"w = 0", func(p *Params) { p.Weight = 0 }},
		{"w = 257", func(p *Params) { p.Weight = 257 }},
		{"m = 0", func(p *Params) { p.BlockLength = 0 }},
		{"m = 193", func(p *Params) { p.BlockLength = 193 }}, // 4·4·4·3 = 192
		{"c = 0", func(p *Params) { p.Codim = 0 }},
		{"c = 433", func(p *Params) { p.Codim = 433 }},
		{"c = 520", func(p *Params) { p.Codim = 520 }},                  // 4λ = 512
		{"c = 432", func(p *Params) { p.Weight, p.BlockLength = 2, 9 }}, // n = 18
	} {
		p := *Cat1Fast
		test.change(&p)
		err := p.Check()
		if err == nil || !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%s: error %v", test.reason, err)
		}

		// Nothing starts with such a set.
		if _, got := p.GenerateKey(nil); got == nil || got.Error() != err.Error() {
			t.Errorf("%s: GenerateKey: error %v", test.reason, got)
		}
		if _, got := ParsePublicKey(&p, nil); got == nil || got.Error() != err.Error() {
			t.Errorf("%s: ParsePublicKey: error %v", test.reason, got)
		}
		if _, got := ParseSecretKey(&p, nil); got == nil || got.Error() != err.Error() {
			t.Errorf("%s: ParseSecretKey: error %v", test.reason, got)
		}
		if _, got := ParseSignature(&p, nil); got == nil || got.Error() != err.Error() {
			t.Errorf("%s: ParseSignature: error %v", test.reason, got)
		}
	}
}
