// Package store keeps what came of points of an experiment in a folder: a file for each
// point, which is one line of JSON, so that all files one after the other are JSON Lines.
//
// The name of a file is a hash of all that a result depends on: the point, the program's
// bytes, the model's version and the version of this format. So a point that was run is
// found without looking into a list, machines that share a folder need no agreement, and
// one folder can be copied into another. Rows have nothing of the machine that made them,
// no date and no duration: the same point gives the same bytes everywhere.
//
// Left out: removing rows, and rows of several model versions in one folder.
package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"socsim/sdith/pipeline"
	"socsim/soc"
)

// Version is that of the format of rows.
const Version = 1

// The kinds of points.
const (
	Program = "program" // firmware on a system
	SDitH   = "sdith"   // a known answer on signing hardware
)

// Point is what is run. Make it canonical with [Point.Canonical], so that equal points
// have equal keys.
type Point struct {
	Kind string `json:"kind"` // Program or SDitH

	Program    string   `json:"program,omitempty"`    // built-in firmware without its ".elf"
	Set        string   `json:"set,omitempty"`        // parameter set, as the program's -p takes it
	Operations []string `json:"operations,omitempty"` // as -op takes them
	Args       []string `json:"args,omitempty"`       // what else the program is given
	Seed       string   `json:"seed,omitempty"`       // a number; empty: the program's default. Of SDitH that of the known answer
	Accel      string   `json:"accel,omitempty"`      // "none", or as "shake-fifo"
	Hash       string   `json:"hash,omitempty"`       // with accelerator "none"
	Platform   string   `json:"platform,omitempty"`   // "default"
	Settings   []string `json:"settings,omitempty"`   // key=value, sorted: keys of the platform; of SDitH cache_depth, path, hcom_in_phase12, cost.NAME
	Config     string   `json:"config,omitempty"`     // of SDitH: "sec1_fast_hp0"
}

// Canonical returns the point with its settings sorted and nothing empty but absent.
func (p Point) Canonical() Point {
	p.Settings = slices.Sorted(slices.Values(p.Settings))
	for _, list := range []*[]string{&p.Operations, &p.Args, &p.Settings} {
		if len(*list) == 0 {
			*list = nil
		}
	}
	return p
}

// Key is the name of the point's row: the first 32 digits of a SHA-256. The program's
// digest is empty for SDitH.
func (p Point) Key(modelVersion, elfSHA256 string) string {
	b, err := json.Marshal(struct {
		Version      int    `json:"version"`
		ModelVersion string `json:"model_version"`
		ELFSHA256    string `json:"elf_sha256"`
		Point        Point  `json:"point"`
	}{Version, modelVersion, elfSHA256, p.Canonical()})
	if err != nil {
		panic("BUG: store: " + err.Error())
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])[:32]
}

// String says in a few words what is run: "sphincs 128f sign, shake-fifo, accel.bus=obi".
func (p Point) String() string {
	parts := []string{p.Program}
	if p.Kind == SDitH {
		parts[0] = "sdith " + p.Config
	}
	if p.Set != "" {
		parts[0] += " " + p.Set
	}
	if len(p.Operations) > 0 {
		parts[0] += " " + strings.Join(p.Operations, ",")
	}
	if len(p.Args) > 0 {
		parts[0] += " " + strings.Join(p.Args, " ")
	}
	switch {
	case p.Accel == "none":
		parts = append(parts, p.Hash+" in software")
	case p.Accel != "":
		parts = append(parts, p.Accel)
	}
	if p.Platform != "" && p.Platform != "default" {
		parts = append(parts, "platform "+p.Platform)
	}
	parts = append(parts, p.Settings...)
	if p.Seed != "" {
		parts = append(parts, "seed "+p.Seed)
	}
	return strings.Join(parts, ", ")
}

// Row is a point and what came of it: one of Result, SDitH and Refused.
type Row struct {
	Version      int          `json:"version"`
	ModelVersion string       `json:"model_version"`
	Point        Point        `json:"point"`
	ELFSHA256    string       `json:"elf_sha256,omitempty"` // empty for SDitH
	Result       *soc.Result  `json:"result,omitempty"`     // without Host
	SDitH        *SDitHResult `json:"sdith,omitempty"`
	Refused      string       `json:"refused,omitempty"` // why the point cannot be run
}

// SDitHResult is a known answer of SDitH.
type SDitHResult struct {
	*pipeline.Result
	Digest string `json:"signature_sha256"`
	Known  bool   `json:"known"` // it is the submission's signature
}

// Key is the name of the row.
func (r *Row) Key() string { return r.Point.Key(r.ModelVersion, r.ELFSHA256) }

// Encode returns the row as one line of JSON with its end. Rows that are equal give equal
// bytes.
func (r *Row) Encode() ([]byte, error) {
	c := *r
	c.Point = c.Point.Canonical()
	if c.Result != nil && c.Result.Host != nil {
		bare := *c.Result
		bare.Host = nil
		c.Result = &bare
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(&c)
	return b.Bytes(), err
}

// Decode reads what Encode wrote. It is strict: a field that is unknown, a result that
// contradicts itself, a row of another version is an error.
func Decode(text []byte) (Row, error) {
	var parts struct {
		Row
		Result json.RawMessage `json:"result"`
	}
	var version struct {
		Version      int    `json:"version"`
		ModelVersion string `json:"model_version"`
	}
	if err := json.Unmarshal(text, &version); err != nil {
		return Row{}, fmt.Errorf("it is no JSON object: %w", err)
	}
	if version.ModelVersion != soc.ModelVersion {
		return Row{}, &VersionError{Has: version.ModelVersion}
	}
	if version.Version != Version {
		return Row{}, fmt.Errorf("it is a row of format %d, this is format %d", version.Version, Version)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&parts); err != nil {
		return Row{}, err
	}
	if _, err := d.Token(); err != io.EOF {
		return Row{}, fmt.Errorf("there is more than one row in it")
	}
	r := parts.Row
	if len(parts.Result) > 0 {
		var err error
		if r.Result, err = soc.ParseResult(parts.Result); err != nil {
			return Row{}, fmt.Errorf("result: %w", err)
		}
	}
	return r, r.check()
}

// check returns what contradicts itself in a row.
func (r *Row) check() error {
	outcomes := 0
	for _, there := range []bool{r.Result != nil, r.SDitH != nil, r.Refused != ""} {
		if there {
			outcomes++
		}
	}
	switch {
	case r.Version != Version:
		return fmt.Errorf("it is a row of format %d, this is format %d", r.Version, Version)
	case r.Point.Kind != Program && r.Point.Kind != SDitH:
		return fmt.Errorf("point.kind is %q, not %s or %s", r.Point.Kind, Program, SDitH)
	case outcomes != 1:
		return fmt.Errorf("it has %d of result, sdith and refused, not one", outcomes)
	case r.Result != nil && r.Point.Kind != Program, r.SDitH != nil && r.Point.Kind != SDitH:
		return fmt.Errorf("its result is not of a point of kind %s", r.Point.Kind)
	case (r.Point.Kind == SDitH) != (r.ELFSHA256 == ""):
		return fmt.Errorf("elf_sha256 is %q in a row of kind %s", r.ELFSHA256, r.Point.Kind)
	case r.Result != nil && (r.Result.ELFSHA256 != r.ELFSHA256 || r.Result.ModelVersion != r.ModelVersion):
		return fmt.Errorf("its result is of another program or model version")
	case r.SDitH != nil && (r.SDitH.Result == nil || r.SDitH.Config != r.Point.Config):
		return fmt.Errorf("its result is not of %s", r.Point.Config)
	}
	return nil
}

// VersionError says that a row is of another version of the model.
type VersionError struct {
	Has string // empty: none is stated
}

func (e *VersionError) Error() string {
	if e.Has == "" {
		return "it states no model_version; is it a row of a store?"
	}
	return fmt.Sprintf("it is of model version %s, this is %s: rows of both cannot be compared; use another folder, or that version", e.Has, soc.ModelVersion)
}
