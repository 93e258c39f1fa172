package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"socsim/firmware"
	"socsim/sdith/pipeline"
	"socsim/soc"
)

// hashRow is a row of a run of a few thousand cycles.
func hashRow(t *testing.T, settings ...string) Row {
	t.Helper()
	elf, err := firmware.ELF("hash.elf")
	if err != nil {
		t.Fatal(err)
	}
	s, err := soc.New(soc.Options{Name: "hash.elf", ELF: elf, Accel: "shake-fifo", Console: &bytes.Buffer{}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := Point{Kind: Program, Program: "hash", Accel: "shake-fifo", Platform: "default", Settings: settings}
	return Row{Version: Version, ModelVersion: soc.ModelVersion, Point: p, ELFSHA256: r.ELFSHA256, Result: r}
}

func refusedRow(seed string) Row {
	p := Point{Kind: SDitH, Config: "sec1_fast_hp0", Seed: seed}
	return Row{Version: Version, ModelVersion: soc.ModelVersion, Point: p, Refused: "no room"}
}

func open(t *testing.T) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "a", "st[o]re"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A key is the same on every machine and for ever, and differs with everything it is of.
func TestKey(t *testing.T) {
	p := Point{Kind: Program, Program: "sphincs", Set: "128f", Operations: []string{"sign"}, Accel: "shake-fifo", Platform: "default", Settings: []string{"b=1", "a=2"}}
	if got, want := p.Key("0.2.0", "abc"), "20444667232b8d108448dac163cff3a8"; got != want {
		t.Errorf("key %s, want %s: all stores there are would be void", got, want)
	}
	sorted := p
	sorted.Settings, sorted.Args = []string{"a=2", "b=1"}, []string{}
	if p.Key("0.2.0", "abc") != sorted.Key("0.2.0", "abc") {
		t.Error("the order of settings changes the key")
	}
	seen := map[string]bool{p.Key("0.2.0", "abc"): true, p.Key("0.2.1", "abc"): true, p.Key("0.2.0", "abd"): true}
	for _, change := range []func(*Point){
		func(p *Point) { p.Kind = SDitH }, func(p *Point) { p.Program = "kyber" }, func(p *Point) { p.Set = "128s" },
		func(p *Point) { p.Operations = []string{"sign", "verify"} }, func(p *Point) { p.Args = []string{"-x"} }, func(p *Point) { p.Seed = "0" },
		func(p *Point) { p.Accel = "shake-lsu" }, func(p *Point) { p.Hash = "shake" }, func(p *Point) { p.Platform = "x" },
		func(p *Point) { p.Settings = []string{"a=2"} }, func(p *Point) { p.Config = "c" },
	} {
		q := p
		change(&q)
		seen[q.Key("0.2.0", "abc")] = true
	}
	if len(seen) != 14 {
		t.Errorf("%d different keys, want 14", len(seen))
	}
}

// What is put comes back, and the file has nothing of the host.
func TestPutAndGet(t *testing.T) {
	s := open(t)
	result := hashRow(t)
	if result.Result.Host == nil {
		t.Fatal("the run has no Host to be left out")
	}
	signature := refusedRow("0")
	signature.Refused = ""
	signature.SDitH = &SDitHResult{Result: &pipeline.Result{Config: "sec1_fast_hp0", Cycles: 7}, Digest: "ab", Known: true}
	for i, p := range signature.SDitH.Phases {
		p.Phase = pipeline.Phase(i)
		signature.SDitH.Phases[i] = p
	}
	for _, r := range []Row{result, signature, refusedRow("1")} {
		for range 2 { // the same again is fine
			if err := s.Put(r); err != nil {
				t.Fatal(err)
			}
		}
		got, ok, err := s.Get(r.Key())
		if err != nil || !ok {
			t.Fatalf("%v: %v, %v", r.Point, ok, err)
		}
		want := r
		if r.Result != nil {
			bare := *r.Result
			bare.Host, bare.Hints, bare.Findings = nil, nil, nil
			want.Result = &bare
		}
		a, _ := want.Encode()
		b, _ := got.Encode()
		if !bytes.Equal(a, b) || bytes.Contains(b, []byte(`"host"`)) || bytes.Count(b, []byte("\n")) != 1 {
			t.Errorf("%v: put\n%sgot\n%s", r.Point, a, b)
		}
	}
	rows, err := s.Rows()
	if err != nil || len(rows) != 3 || rows[0].Key() > rows[1].Key() || rows[1].Key() > rows[2].Key() {
		t.Errorf("%d rows, %v, or not sorted", len(rows), err)
	}
	if _, ok, err := s.Get("00"); ok || err != nil {
		t.Errorf("a row that is not there: %v, %v", ok, err)
	}
	if names, _ := os.ReadDir(s.Dir()); len(names) != 3 {
		t.Errorf("%d files, want 3", len(names))
	}
}

// Of two different rows of a point the first stays and the second is kept.
func TestConflict(t *testing.T) {
	s := open(t)
	first, second := refusedRow("0"), refusedRow("0")
	second.Refused = "too small"
	if err := s.Put(first); err != nil {
		t.Fatal(err)
	}
	err := s.Put(second)
	var conflict *ConflictError
	if !errors.As(err, &conflict) || strings.Contains(err.Error(), "\n") {
		t.Fatalf("error %v", err)
	}
	if got, _, err := s.Get(first.Key()); err != nil || got.Refused != "no room" {
		t.Errorf("the first row is now %+v, %v", got, err)
	}
	if text, err := os.ReadFile(conflict.New); err != nil || !strings.Contains(string(text), "too small") {
		t.Errorf("the second row: %s, %v", text, err)
	}
}

// Many writers of the same rows at once leave each row whole and once.
func TestTwoMachines(t *testing.T) {
	s := open(t)
	rows := []Row{hashRow(t), refusedRow("0"), refusedRow("1")}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			mine, err := Open(s.Dir())
			if err != nil {
				t.Error(err)
				return
			}
			for _, r := range rows {
				if err := mine.Put(r); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if names, _ := os.ReadDir(s.Dir()); len(names) != len(rows) {
		t.Errorf("%d files, want %d", len(names), len(rows))
	}
}

// A process that was killed while it wrote leaves a file that is no row, for a day.
func TestAbandoned(t *testing.T) {
	s := open(t)
	for name, age := range map[string]time.Duration{temporary + "1": 0, temporary + "2": 25 * time.Hour, "notes.txt": 25 * time.Hour} {
		file := filepath.Join(s.Dir(), name)
		if err := os.WriteFile(file, []byte(`{"vers`), 0o666); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(file, then, then); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(s.Dir()); err != nil {
		t.Fatal(err)
	}
	if rows, err := s.Rows(); err != nil || len(rows) != 0 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	entries, _ := os.ReadDir(s.Dir())
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if diff := cmp.Diff([]string{temporary + "1", "notes.txt"}, names); diff != "" {
		t.Error(diff)
	}
}

// A file that is no row of this store is an error that names it.
func TestWrongRows(t *testing.T) {
	good, err := func() ([]byte, error) { r := hashRow(t); return r.Encode() }()
	if err != nil {
		t.Fatal(err)
	}
	row := hashRow(t)
	key := row.Key()
	change := func(old, new string) []byte {
		if !bytes.Contains(good, []byte(old)) {
			t.Fatalf("no %s in the row", old)
		}
		return bytes.Replace(good, []byte(old), []byte(new), 1)
	}
	for _, c := range []struct {
		reason, key string
		text        []byte
		want        string
	}{
		{"empty", key, nil, "no JSON"},
		{"cut off", key, good[:len(good)/2], "no JSON"},
		{"another model version", key, bytes.ReplaceAll(good, []byte(soc.ModelVersion), []byte("0.0.1")), "it is of model version 0.0.1, this is " + soc.ModelVersion},
		{"no model version", key, []byte("{}"), "no model_version"},
		{"another format", key, change(`"version":1`, `"version":2`), "format 2"},
		{"a field that is not known", key, change(`"version":1`, `"version":1,"date":"today"`), "date"},
		{"a number was changed", key, change(`"cycles":`, `"cycles":1`), "result: "},
		{"renamed", strings.Repeat("0", 32), good, "should be called " + key},
		{"the point was changed", key, change(`"accel":"shake-fifo"`, `"accel":"shake-lsu"`), "should be called"},
		{"two rows", key, append(append([]byte{}, good...), good...), "no JSON"},
		{"no outcome", key, change(`"point"`, `"refused":"x","point"`), "2 of result, sdith and refused"},
		{"another program", key, change(`"elf_sha256":"`, `"elf_sha256":"00`), "another program"},
	} {
		s := open(t)
		name := filepath.Join(s.Dir(), c.key+extension)
		if err := os.WriteFile(name, c.text, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := s.Rows()
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q and %s", c.reason, err, c.want, name)
		}
	}
	s := open(t)
	for reason, r := range map[string]Row{
		"another model version": {Version: Version, ModelVersion: "0.0.1", Point: refusedRow("0").Point, Refused: "x"},
		"nothing came of it":    {Version: Version, ModelVersion: soc.ModelVersion, Point: refusedRow("0").Point},
		"no kind":               {Version: Version, ModelVersion: soc.ModelVersion, Refused: "x"},
	} {
		if err := s.Put(r); err == nil {
			t.Errorf("%s: put", reason)
		}
	}
}

// All files one after the other are JSON Lines.
func TestLines(t *testing.T) {
	var all []byte
	for _, r := range []Row{hashRow(t), refusedRow("0")} {
		text, err := r.Encode()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	for line := range bytes.Lines(all) {
		if !json.Valid(line) {
			t.Errorf("%s", line)
		}
	}
}

func TestMerge(t *testing.T) {
	a, b, c := open(t), open(t), open(t)
	for _, step := range []struct {
		s    *Store
		seed string
	}{{a, "0"}, {b, "1"}, {b, "0"}, {c, "2"}} {
		if err := step.s.Put(refusedRow(step.seed)); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := a.Merge(b, c); err != nil || n != 2 {
		t.Errorf("%d new rows, %v; want 2", n, err)
	}
	if rows, err := a.Rows(); err != nil || len(rows) != 3 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	other := refusedRow("2")
	other.Refused = "another reason"
	d := open(t)
	if err := d.Put(other); err != nil {
		t.Fatal(err)
	}
	// The rows behind it are merged all the same.
	for _, seed := range []string{"3", "4", "5"} {
		if err := d.Put(refusedRow(seed)); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := a.Merge(d); err == nil || !strings.Contains(err.Error(), d.Dir()) || n != 3 {
		t.Errorf("a row that differs, three that do not: %d new rows, %v", n, err)
	}
}

func TestString(t *testing.T) {
	for _, c := range []struct {
		p    Point
		want string
	}{
		{Point{Kind: Program, Program: "sphincs", Set: "128f", Operations: []string{"keygen", "sign"}, Accel: "shake-fifo", Platform: "default", Settings: []string{"accel.bus=obi"}, Seed: "3"},
			"sphincs 128f keygen,sign, shake-fifo, accel.bus=obi, seed 3"},
		{Point{Kind: Program, Program: "hash", Args: []string{"-in", "64"}, Accel: "none", Hash: "ascon"}, "hash -in 64, ascon in software"},
		{Point{Kind: SDitH, Config: "sec1_fast_hp0", Settings: []string{"cache_depth=4"}, Seed: "0"}, "sdith sec1_fast_hp0, cache_depth=4, seed 0"},
	} {
		if got := c.p.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
