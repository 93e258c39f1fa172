package firmware_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/crypto/sha3"

	"socsim/firmware"
	"socsim/sdith"
	"socsim/sdith/device"
	"socsim/sdith/pipeline"
	"socsim/soc"
	"socsim/soc/platform"
)

// coprocessorOf returns what the coprocessor did.
func coprocessorOf(t *testing.T, r run) device.Statistics {
	t.Helper()
	for _, d := range r.Devices {
		if d.SDitH != nil {
			return *d.SDitH
		}
	}
	t.Fatal("there is no coprocessor")
	return device.Statistics{}
}

// The coprocessor signs known answer 0, and another one that it is given. Not in every
// configuration: the pipeline's tests have all of them, and some take a second.
func TestCoprocessor(t *testing.T) {
	for _, c := range pipeline.Configs() {
		switch c.Name() {
		case "sec1_fast_hp0", "sec1_fast_hp1", "sec1_short_hp1", "sec3_fast_hp0", "sec5_fast_hp1":
		default:
			continue
		}
		t.Run(c.Name(), func(t *testing.T) {
			if testing.Short() && c.Name() != "sec1_fast_hp1" {
				t.Skip("takes a second")
			}
			t.Parallel()
			for _, entry := range []int{0, 7} {
				if entry > 0 && c.Name() != "sec1_fast_hp1" || entry == 0 && testing.Short() {
					continue
				}
				k, err := c.Set.KAT(entry)
				if err != nil {
					t.Fatal(err)
				}
				sk, err := c.Set.GenerateKey(k.KeyEntropy)
				if err != nil {
					t.Fatal(err)
				}
				args := []string{"-wait", "wfi"}
				if entry > 0 {
					args = []string{"-wait", "poll", "-sk", "hex:" + hex.EncodeToString(sk.Bytes()),
						"-entropy", "hex:" + hex.EncodeToString(k.SignEntropy), "-msg", "hex:" + hex.EncodeToString(k.Msg)}
				}
				r := start(t, soc.Options{Name: "sdith.elf", SDitH: c.Name(), Args: args, Dumps: []soc.Dump{{Symbol: "signature", Bytes: uint32(c.Set.SignatureSize())}}}, nil)
				if err := r.right(); err != nil {
					t.Fatal(err)
				}
				sig, err := hex.DecodeString(r.Dumps["signature"])
				if err != nil {
					t.Fatal(err)
				}
				sum := sha256.Sum256(sig)
				if want, err := c.Set.KATDigest(entry); err != nil || hex.EncodeToString(sum[:]) != want {
					t.Errorf("entry %d: the signature is not that of the known answer (%v)", entry, err)
				}
				if want := fmt.Sprintf("[DIG] sig sha3-256 %x\n", sha3.Sum256(sig)); !strings.Contains(r.out, want) {
					t.Errorf("entry %d: no %q in\n%s", entry, want, r.out)
				}
				if want := fmt.Sprintf("[CFG] sdith %s coprocessor %s cache %d\n", c.Set.Name, c.Name(), c.CacheDepth); !strings.HasPrefix(r.out, want) {
					t.Errorf("no %q in\n%s", want, r.out)
				}
				splitOfRun(t, r, c.Set, len(k.Msg), entry == 0)
			}
		})
	}
}

// splitOfRun checks where the cycles of loading, signing and unloading went.
func splitOfRun(t *testing.T, r run, set *sdith.Params, message int, asleep bool) {
	t.Helper()
	if len(r.Regions) != 3 {
		t.Fatalf("regions %+v", r.Regions)
	}
	load, sign, unload := r.Regions[0], r.Regions[1], r.Regions[2]
	stats := coprocessorOf(t, r)
	words := func(n int) uint64 { return uint64(n+3) / 4 }
	in := words(set.SecretKeySize()) + words(2*set.SeedSize()) + words(message)
	out := words(set.SignatureSize())
	if load.SDitH.WordsIn != in || unload.SDitH.WordsOut != out || stats.WordsIn != in || stats.WordsOut != out {
		t.Errorf("%d words in, %d out, want %d and %d", load.SDitH.WordsIn, unload.SDitH.WordsOut, in, out)
	}
	// apb: no store in less than 4 cycles, no load in less than 3; and what copies takes no
	// more than half of that on top, and what a call takes.
	for _, g := range []struct {
		name               string
		moved, words, each uint64
		all                uint64
	}{{"load", load.Ledger.MoveIn, in, 4, load.Cycles}, {"unload", unload.Ledger.MoveOut, out, 3, unload.Cycles}} {
		if g.moved < g.words*g.each || g.moved > g.words*g.each*2+60 || g.all-g.moved > 80 {
			t.Errorf("%s: %d of %d cycles move %d words", g.name, g.moved, g.all, g.words)
		}
	}
	wait := sign.Ledger.Wait
	if asleep {
		wait = sign.Ledger.Sleep
	}
	busy := uint64(stats.BusyCycles)
	if wait < busy-20 || wait > busy+20 || sign.Cycles > busy+100 || sign.SDitH.BusyCycles != busy || (sign.Ledger.Sleep > 0) != asleep {
		t.Errorf("sign: %d cycles, %+v, for %d busy ones", sign.Cycles, sign.Ledger, busy)
	}
	for _, p := range stats.Phases {
		if line := fmt.Sprintf("[PHS] %s %d\n", p.Phase, p.Cycles); !strings.Contains(r.out, line) {
			t.Errorf("no %q in\n%s", line, r.out)
		}
	}
	if line := fmt.Sprintf("[TRY] sign %s %d\n", set.Name, stats.Attempts); !strings.Contains(r.out, line) {
		t.Errorf("no %q in\n%s", line, r.out)
	}
}

// Messages at the ends, and what the program and the check say of bad material.
func TestCoprocessorMaterial(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	const config = "sec1_fast_hp1"
	t.Parallel()
	for _, args := range []string{"-msg len:0 -nodigest", "-msg len:1 -nodigest", "-msg len:4096 -nodigest"} {
		if testing.Short() && args != "-msg len:4096 -nodigest" {
			continue
		}
		r := start(t, soc.Options{Name: "sdith.elf", SDitH: config, Accel: "shake-fifo", Args: strings.Fields(args)}, nil)
		if err := r.right(); err != nil {
			t.Errorf("%s: %v", args, err)
		}
		if strings.Contains(r.out, "[DIG]") {
			t.Errorf("%s: %s", args, r.out)
		}
	}
	k, err := sdith.Cat1Fast.KAT(0)
	if err != nil {
		t.Fatal(err)
	}
	sk, err := sdith.Cat1Fast.GenerateKey(k.KeyEntropy)
	if err != nil {
		t.Fatal(err)
	}
	stranger := sk.Bytes()
	stranger[len(stranger)-1] ^= 1
	for _, tt := range []struct {
		args, fail string
		verified   string
	}{
		{"-msg len:4097", "code 3, the message is longer than its memory", "none"},
		{"-msg len:65536", "code 3, the message is longer than its memory", "none"},
		{"-sk len:163", "code 4, this is no secret key", "yes"}, // the reference refuses it, too
		{"-sk hex:" + hex.EncodeToString(stranger), "code 5, the witness of the secret key does not belong to its public key", "yes"},
	} {
		r := start(t, soc.Options{Name: "sdith.elf", SDitH: config, Args: strings.Fields(tt.args)}, nil)
		if r.Exit.Code != 1 || !strings.HasSuffix(r.out, "[FAIL] the coprocessor refuses: "+tt.fail+"\n") {
			t.Errorf("%.40s: exit code %d, %s", tt.args, r.Exit.Code, r.out)
		}
		if got := map[bool]string{true: "none", false: "yes"}[r.Verified == nil]; got != tt.verified || r.Verified != nil && !*r.Verified {
			t.Errorf("%.40s: verified: %v, want %s", tt.args, got, tt.verified)
		}
		if len(r.Hints) != 1 || !strings.Contains(r.Hints[0], "was refused") {
			t.Errorf("%.40s: hints %q", tt.args, r.Hints)
		}
	}
	for args, want := range map[string]string{
		"-sk len:162":                "sdith: -sk: 162 bytes, configuration sec1_fast_hp1 wants 163\n",
		"-sk len:164":                "sdith: -sk: len:164, at most",
		"-entropy hex:00":            "sdith: -entropy: 1 bytes, configuration sec1_fast_hp1 wants 32\n",
		"-wait long":                 "sdith: -wait: \"long\" is unknown; there are poll, wfi\n",
		"-what 1":                    "sdith: -what: no such flag; there are -sk -entropy -msg -wait -nodigest\n",
		"-wait":                      "sdith: -wait: a value is missing\n",
		"-msg len:65537 -wait wfi":   "sdith: -msg: 65537, at most 65536 is possible\n",
		"-nodigest -nodigest -what2": "sdith: -what2: no such flag",
	} {
		r := start(t, soc.Options{Name: "sdith.elf", SDitH: config, Args: strings.Fields(args)}, nil)
		if r.Exit.Code != 2 || !strings.HasPrefix(r.errors, want) && args != "-sk len:164" {
			t.Errorf("%s: exit code %d, %q, want %q", args, r.Exit.Code, r.errors, want)
		}
	}
	r := start(t, soc.Options{Name: "sdith.elf"}, nil)
	if r.Exit.Code != 2 || !strings.Contains(r.errors, "--sdith sec1_fast_hp0") {
		t.Errorf("without a coprocessor: exit code %d, %q", r.Exit.Code, r.errors)
	}
}

// The check sees a bit of the signature, of the message and of the entropy.
func TestCoprocessorIsChecked(t *testing.T) {
	t.Parallel()
	for _, role := range []firmware.Role{firmware.RoleSignature, firmware.RoleMessage, firmware.RoleRandom} {
		if testing.Short() && role != firmware.RoleSignature {
			continue
		}
		r := start(t, soc.Options{Name: "sdith.elf", SDitH: "sec1_fast_hp1", Args: []string{"-nodigest"}}, func(ops []firmware.Operation) {
			for _, f := range ops[0].Fields {
				if f.Role == role {
					f.Data[len(f.Data)-1] ^= 0x80
				}
			}
		})
		if r.Verified == nil || *r.Verified {
			t.Errorf("with another %s it is verified all the same: %+v", role, r.outcomes)
		}
	}
	// Commitments in another order: no valid signature, and the check says so.
	if testing.Short() {
		return
	}
	p := onBus(t, "apb")
	if err := p.Set("sdith.hcom_in_phase12", "1"); err != nil {
		t.Fatal(err)
	}
	r := start(t, soc.Options{Name: "sdith.elf", SDitH: "sec1_fast_hp1", Platform: p}, nil)
	if r.Exit.Code != 0 || r.Verified == nil || *r.Verified || !strings.Contains(r.outcomes[0].Mismatch, "signature: byte ") {
		t.Errorf("exit code %d, %+v", r.Exit.Code, r.outcomes)
	}
}

// A faster way moves words faster, and signs as fast.
func TestCoprocessorBus(t *testing.T) {
	if testing.Short() {
		t.Skip("signs four times")
	}
	t.Parallel()
	var loads, unloads []uint64
	for _, way := range []string{"apb", "axi4-lite", "ahb-lite", "obi"} {
		r := start(t, soc.Options{Name: "sdith.elf", SDitH: "sec1_fast_hp1", Platform: onBus(t, way), Args: []string{"-nodigest", "-wait", "wfi"}}, nil)
		if err := r.right(); err != nil {
			t.Fatal(err)
		}
		loads, unloads = append(loads, r.Regions[0].Cycles), append(unloads, r.Regions[2].Cycles)
	}
	for i := range loads[1:] {
		if loads[i+1] > loads[i] || unloads[i+1] > unloads[i] {
			t.Errorf("from the slowest bus to the fastest: load %d, unload %d", loads, unloads)
		}
	}
	if last := len(unloads) - 1; unloads[last] >= unloads[0]*2/3 || loads[last] >= loads[0]*2/3 {
		t.Errorf("load %d, unload %d", loads, unloads)
	}
}

// onBus returns the default platform with the coprocessor behind a bus.
func onBus(t *testing.T, name string) *platform.Platform {
	t.Helper()
	p, err := platform.Load("default")
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Set("sdith.bus", name); err != nil {
		t.Fatal(err)
	}
	return p
}
