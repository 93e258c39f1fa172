package cli

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"socsim/accel"
	"socsim/firmware"
	"socsim/internal/nearest"
	"socsim/pqc/xof"
	"socsim/soc/platform"
)

// systemFlags say what the firmware runs on.
type systemFlags struct {
	accel, hash, platform, sdith string
	set                          []string

	file fs.FileInfo // of the platform, if it is one
}

func (f *systemFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.accel, "accel", "", "hash accelerator as `XOF-COUPLING`, or none (default: as the platform says)")
	flags.StringVar(&f.platform, "platform", "default", "a built-in platform or a TOML file: `NAME|FILE`")
	flags.StringArrayVar(&f.set, "set", nil, "change one value of the platform: `KEY=VALUE`, e.g. accel.cycles_per_round=2 (repeatable)")
}

// load returns the platform with everything the flags change.
func (f *systemFlags) load() (*platform.Platform, error) {
	p, err := f.base()
	if err != nil {
		return nil, err
	}
	if f.accel != "" {
		c, err := accel.Parse(f.accel)
		if err != nil {
			return nil, usage("--accel: %w", err)
		}
		p.Accel.Coupling = c.Coupling.String()
		if c.XOF != nil {
			p.Accel.XOF = c.XOF.Name
		}
	}
	if f.sdith != "" {
		known := append([]string{platform.NoSDitH}, platform.SDitHNames()...)
		if !slices.Contains(known, f.sdith) {
			return nil, usage("--sdith: no configuration is called %q%s; there are %s", f.sdith, nearest.Hint(f.sdith, known), strings.Join(known, ", "))
		}
		p.SDitH.Config = f.sdith
	}
	for _, s := range f.set {
		key, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, usage("--set %s: want KEY=VALUE, e.g. --set clock_hz=50000000", s)
		}
		if err := p.Set(strings.TrimSpace(key), strings.TrimSpace(value)); err != nil {
			if !strings.Contains(err.Error(), "did you mean") && !slices.Contains(p.Keys(), strings.TrimSpace(key)) {
				return nil, usage("--set: %w; keys are those of a platform file, e.g. clock_hz, ram.size, accel.fifo_depth, device.uart.bus", err)
			}
			return nil, usage("--set: %w", err)
		}
	}
	if f.hash != "" {
		if p.Accel.Coupling != accel.None.String() {
			return nil, usage("--hash %s beside an accelerator: %s-%s decides what is hashed; leave out --hash, or say --accel none",
				f.hash, p.Accel.XOF, p.Accel.Coupling)
		}
		if err := knownHash(f.hash); err != nil {
			return nil, err
		}
		p.Accel.XOF = f.hash
	}
	if err := p.Validate(); err != nil {
		if len(f.set) > 0 {
			return nil, usage("--set: %w", err)
		}
		return nil, input(err)
	}
	return p, nil
}

func (f *systemFlags) base() (*platform.Platform, error) {
	if slices.Contains(platform.Builtin(), f.platform) {
		p, err := platform.Load(f.platform)
		if err != nil {
			return nil, fail(exitInternal, err)
		}
		return p, nil
	}
	text, info, err := readFile(f.platform, maxPlatform)
	switch {
	case missing(err) && !strings.ContainsAny(f.platform, `/\.`): // a name, not a file
		return nil, usage("--platform: no platform %q%s; built in are %s, anything else is a TOML file",
			f.platform, nearest.Hint(f.platform, platform.Builtin()), strings.Join(platform.Builtin(), ", "))
	case err != nil:
		return nil, input(fmt.Errorf("platform %w", err))
	}
	f.file = info
	p, err := platform.Parse(f.platform, text)
	if err != nil {
		return nil, input(err)
	}
	return p, nil
}

// knownHash checks the name of a hash that firmware can compute in software.
func knownHash(name string) error {
	var known []string
	for _, f := range xof.Families {
		known = append(known, f.Name)
	}
	if !slices.Contains(known, name) {
		return usage("--hash: no hash is called %q%s; there are %s", name, nearest.Hint(name, known), strings.Join(known, ", "))
	}
	return nil
}

// elfFile is an ELF file and where it came from.
type elfFile struct {
	name    string // as it is shown
	data    []byte
	info    fs.FileInfo // nil: built in
	builtin bool
}

// openELF reads a file, or takes what is built in under that name if there is
// no such file: sphincs, sphincs.elf and firmware/sphincs.elf are the same.
func openELF(name string) (elfFile, error) {
	data, info, err := readFile(name, maxELF)
	if err == nil {
		return elfFile{name: name, data: data, info: info}, nil
	}
	if !missing(err) {
		return elfFile{}, input(fmt.Errorf("ELF file: %w", err))
	}
	slashed := filepath.ToSlash(name)
	wanted := strings.TrimSuffix(path.Base(slashed), ".elf")
	var known []string // without the .elf, which all have in common
	for _, file := range firmware.Names() {
		known = append(known, strings.TrimSuffix(file, ".elf"))
		if dir := path.Dir(slashed); wanted+".elf" == file && (dir == "." || dir == "firmware") {
			data, err := firmware.ELF(file)
			if err != nil {
				return elfFile{}, fail(exitInternal, err)
			}
			return elfFile{name: name, data: data, builtin: true}, nil
		}
	}
	hint := strings.Replace(nearest.Hint(wanted, known), "?", ".elf?", 1)
	return elfFile{}, input(fmt.Errorf("ELF file %s: no such file%s; built in are %s",
		quoted(name), hint, strings.Join(firmware.Names(), ", ")))
}
