package rv32_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"socsim/soc"
	"socsim/soc/platform"
)

// The RTL's counts for the programs of testdata/cv32e40p, made for this project
// on the CV32E40P RTL: every point must be met to the cycle, in both loops. The
// programs run on the built-in platform rtlbench, so this also is what
// socsim run --platform rtlbench --dump bench_results ELF gives.

type rtlPoint struct{ Cycles, Minstret uint32 }

type rtlProgram struct {
	ELF     string
	SHA256  string
	Results map[string]rtlPoint
	Check   []uint32 `json:"bench_check"` // results of the kernels, whatever the timing
}

const rtlPoints = 2580

func TestRTL(t *testing.T) {
	data, err := os.ReadFile("testdata/cv32e40p/cv32e40p-rtl.json")
	if err != nil {
		t.Fatal(err)
	}
	var groups map[string]json.RawMessage
	if err := json.Unmarshal(data, &groups); err != nil {
		t.Fatal(err)
	}
	for _, loop := range []struct {
		name   string
		exact  bool
		engine soc.Engine
	}{
		{"exact", true, soc.EngineInterpret}, {"fast", false, soc.EngineInterpret}, {"translated", false, soc.EngineTranslate},
	} {
		points := 0
		for _, group := range []string{"microbench", "kernels", "random"} {
			var programs map[string]rtlProgram
			if err := json.Unmarshal(groups[group], &programs); err != nil {
				t.Fatal(err)
			}
			for _, p := range programs {
				points += runRTL(t, p, loop.name, soc.Options{ExactOnly: loop.exact, Engine: loop.engine})
			}
		}
		if points != rtlPoints {
			t.Errorf("%s: compared %d points, there are %d", loop.name, points, rtlPoints)
		}
	}
}

// runRTL runs one program and compares every point.
func runRTL(t *testing.T, want rtlProgram, loop string, options soc.Options) (points int) {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata/cv32e40p", want.ELF))
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(file); hex.EncodeToString(sum[:]) != want.SHA256 {
		t.Fatalf("%s is not the file the RTL ran", want.ELF)
	}
	bench, err := platform.Load("rtlbench")
	if err != nil {
		t.Fatal(err)
	}
	options.Name, options.ELF, options.Platform = want.ELF, file, bench
	options.Dumps = []soc.Dump{{Symbol: "bench_results"}}
	if want.Check != nil {
		options.Dumps = append(options.Dumps, soc.Dump{Symbol: "bench_check", Bytes: 4 * uint32(len(want.Check))})
	}
	system, err := soc.New(options)
	if err != nil {
		t.Fatal(err)
	}
	result, err := system.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if result.Exit.Reason != soc.ToHost || result.Exit.Code != 0 {
		t.Fatalf("%s ended with %s, code %d", want.ELF, result.Exit.Reason, result.Exit.Code)
	}
	words := dumpedWords(t, result, "bench_results")
	names := benchNames(t, file)
	if len(names) != len(want.Results) || len(words) < 2*len(names) {
		t.Fatalf("%s: %d names and %d words for %d points", want.ELF, len(names), len(words), len(want.Results))
	}
	for i, name := range names {
		if got := (rtlPoint{words[2*i], words[2*i+1]}); got != want.Results[name] {
			t.Errorf("%s %s (%s): %v, the RTL has %v", want.ELF, name, loop, got, want.Results[name])
		}
	}
	if want.Check != nil {
		for i, got := range dumpedWords(t, result, "bench_check") {
			if got != want.Check[i] {
				t.Errorf("%s: check value %d is %08x, want %08x", want.ELF, i, got, want.Check[i])
			}
		}
	}
	return len(names)
}

func dumpedWords(t *testing.T, r *soc.Result, symbol string) (words []uint32) {
	t.Helper()
	b, err := hex.DecodeString(r.Dumps[symbol])
	if err != nil {
		t.Fatal(err)
	}
	for ; len(b) >= 4; b = b[4:] {
		words = append(words, binary.LittleEndian.Uint32(b))
	}
	return words
}

// benchNames returns the names of the points, in the order of the results.
func benchNames(t *testing.T, file []byte) []string {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := f.Section(".names").Data()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimRight(string(text), "\x00"), "\x00")
}
