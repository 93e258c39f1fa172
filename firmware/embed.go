// Package firmware holds the programs that run on the simulated core, built in,
// and checks what they did: the layout of the record a program leaves in RAM, and
// Verify, which does every recorded operation again on the host.
//
// The sources of the programs are in the folders below, for the guest: C and
// assembly, built by make -C firmware. README.md there is about them.
package firmware

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

//go:generate go run ./headers

//go:embed *.elf
var programs embed.FS

// Names returns the file names of the built-in programs, sorted: "hash.elf" and
// so on.
func Names() []string {
	names, err := fs.Glob(programs, "*.elf")
	if err != nil {
		panic("BUG: firmware: " + err.Error())
	}
	return names
}

// ELF returns the built-in program with that file name.
func ELF(name string) ([]byte, error) {
	b, err := programs.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("no program %q is built in, there are %s", name, strings.Join(Names(), ", "))
	}
	return b, nil
}
