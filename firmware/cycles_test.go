package firmware_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/pqc/mldsa"
	"socsim/pqc/xof"
	"socsim/soc"
)

var update = flag.Bool("update", false, "write the table of cycles in README.md anew")

// published are cycles of other implementations, keygen, encaps or sign, decaps or
// verify; 0 where none was published. Of signing they are means.
//
// M4: mupq/pqm4, benchmarks.csv at cc2c1b9, on a Nucleo-L4R5ZI at 24 MHz without
// flash wait states: "clean" is C, "m4fspeed", "m4f" and "m4-ct" are assembly; Falcon is in earlier
// commits, and rounded here where it is millions. C908: Ji-Peng/PQRV
// at 2463d15, RV32IM on an XuanTie C908, which issues two instructions a cycle; of round
// 3 Kyber and Dilithium.
var published = []struct {
	program, set, name       string
	m4, m4asm, c908, c908asm [3]int
}{
	{"kyber", "512", "ML-KEM-512", [3]int{595793, 700605, 888653}, [3]int{392423, 390881, 428167},
		[3]int{741303, 1005595, 1081723}, [3]int{664144, 781304, 728439}},
	{"kyber", "768", "ML-KEM-768", [3]int{988722, 1138225, 1387984}, [3]int{642096, 658754, 707827},
		[3]int{1222379, 1602212, 1691750}, [3]int{1074467, 1260374, 1180771}},
	{"kyber", "1024", "ML-KEM-1024", [3]int{1536343, 1708071, 2020327}, [3]int{1018976, 1031565, 1094008},
		[3]int{1925101, 2403295, 2496861}, [3]int{1683435, 1900366, 1792926}},
	{"dilithium", "44", "ML-DSA-44", [3]int{1874405, 7925955, 2063096}, [3]int{1426025, 3943121, 1421623},
		[3]int{2350808, 8361645, 2487498}, [3]int{}},
	{"dilithium", "65", "ML-DSA-65", [3]int{3205533, 12359056, 3377305}, [3]int{2516006, 6193171, 2415944},
		[3]int{4123118, 13671935, 4145088}, [3]int{}},
	{"dilithium", "87", "ML-DSA-87", [3]int{5341863, 15579513, 5610203}, [3]int{4275859, 7947380, 4193104},
		[3]int{6907383, 17092497, 0}, [3]int{}},
	{"falcon", "512", "Falcon-512", [3]int{229700000, 62260000, 834970}, [3]int{146400000, 40190000, 482280}, [3]int{}, [3]int{}},
	{"falcon", "1024", "Falcon-1024", [3]int{602100000, 136200000, 1678109}, [3]int{408700000, 87700000, 990541}, [3]int{}, [3]int{}},
}

// figures are what a program printed about an operation.
type figures struct{ cycles, stack, memory int }

// measured reads an operation's figures: the median of many runs, or their mean.
func measured(t *testing.T, r run, operation, set string, mean bool) (f figures) {
	t.Helper()
	number := func(pattern string) (n int) {
		m := regexp.MustCompile(`(?m)^\[` + pattern).FindStringSubmatch(r.out)
		if m == nil {
			t.Fatalf("no %s in\n%s", pattern, r.out)
		}
		fmt.Sscan(m[1], &n)
		return n
	}
	of := `\] ` + operation + " " + set + " "
	if mean {
		f.cycles = number("CYC" + of + `.*mean (\d+)`)
	} else {
		f.cycles = number("CYC" + of + `median (\d+)`)
	}
	f.stack, f.memory = number("STK"+of+`(\d+)`), number("RAM"+of+`(\d+)`)
	return f
}

// thousands writes a number with commas, or nothing for 0.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if n == 0 {
		return ""
	}
	return s
}

// messages returns the C2SP messages whose signatures have a representative number of
// attempts, or nil if they are not there.
func messages(t *testing.T, set string) (list []string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "shared", "vectors", "mldsa", "cctv-benchmark-messages-"+set+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(b, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// signed is the line the program prints about the reference's signatures of messages, by
// the key of the zero seed.
func signed(t *testing.T, set string, list []string) string {
	t.Helper()
	p, err := mldsa.SetByName(set)
	if err != nil {
		t.Fatal(err)
	}
	s, err := mldsa.New(p, mldsa.FIPS204, xof.SHAKE)
	if err != nil {
		t.Fatal(err)
	}
	_, sk, err := s.KeyGen(make([]byte, mldsa.SeedSize))
	if err != nil {
		t.Fatal(err)
	}
	var sigs []byte
	for _, m := range list {
		sig, err := s.Sign([]byte(m), nil, sk, nil)
		if err != nil {
			t.Fatal(err)
		}
		sigs = append(sigs, sig...)
	}
	return digest(t, "sig", hex.EncodeToString(sigs))
}

// The table in README.md is what the programs take. Signing is over the C2SP messages,
// so without them nothing is compared; with them, all signatures are the reference's.
func TestCycles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	if messages(t, "44") == nil {
		t.Skip("no test vectors")
	}
	rows := make([][3]string, len(published))
	t.Run("run", func(t *testing.T) {
		for i, p := range published {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				operations := [3]string{"keygen", "encaps", "decaps"}
				runs := "25"
				if p.program != "kyber" {
					operations, runs = [3]string{"keygen", "sign", "verify"}, "5"
				}
				if p.set == "1024" && p.program == "falcon" {
					runs = "3"
				}
				var got [2][3]figures
				for j, accelerator := range []string{"none", "shake-fifo"} {
					o := soc.Options{Name: p.program + ".elf", Accel: accelerator, Args: []string{"-p", p.set, "-n", runs, "-nodigest"}}
					r := start(t, o, nil)
					if err := r.right(); err != nil {
						t.Fatal(err)
					}
					for k, operation := range operations {
						if operation != "sign" || p.program == "falcon" {
							got[j][k] = measured(t, r, operation, p.set, false)
						}
					}
					if p.program == "dilithium" {
						o.Args = []string{"-p", p.set, "-op", "sign", "-seed", hexArg(make([]byte, 32)), "-msgs", strings.Join(messages(t, p.set), ",")}
						if r = start(t, o, nil); r.right() != nil {
							t.Fatal(r.right())
						}
						if line := signed(t, p.set, messages(t, p.set)); !strings.Contains(r.out, line) {
							t.Errorf("%s: no line %sin\n%s", accelerator, line, r.out)
						}
						got[j][1] = measured(t, r, "sign", p.set, true)
					}
				}
				for k, operation := range operations {
					soft, fifo := got[0][k], got[1][k]
					rows[i][k] = fmt.Sprintf("| %s %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", p.name, operation,
						thousands(soft.cycles), thousands(fifo.cycles), thousands(soft.stack), thousands(soft.memory),
						thousands(p.m4[k]), thousands(p.m4asm[k]), thousands(p.c908[k]), thousands(p.c908asm[k]))
				}
			})
		}
	})
	if t.Failed() {
		return
	}
	var table strings.Builder
	table.WriteString("| | software | `shake-fifo` | stack | memory | M4, C | M4, assembly | C908, C | C908, assembly |\n")
	table.WriteString("|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, row := range rows {
		table.WriteString(strings.Join(row[:], ""))
	}
	table.WriteString(sdithRows(t))

	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), "<!-- cycles -->\n")
	old, after, ok2 := strings.Cut(rest, "<!-- end of cycles -->\n")
	if !ok || !ok2 {
		t.Fatal("README.md has no place for the table of cycles")
	}
	if diff := cmp.Diff(table.String(), old); diff != "" && !*update {
		t.Errorf("README.md has other cycles; go test ./firmware -run TestCycles -update writes them anew\n%s", diff)
	}
	if *update {
		text = []byte(before + "<!-- cycles -->\n" + table.String() + "<!-- end of cycles -->\n" + after)
		if err := os.WriteFile("README.md", text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
