// Command socsim models a RISC-V system on chip that runs post-quantum
// firmware with or without hash accelerators, and says what each interface costs.
package main

import (
	"os"

	"socsim/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
