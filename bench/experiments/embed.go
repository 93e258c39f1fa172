// Package experiments holds the experiments that are built in, and what they gave: cycles
// are exact, so these results move only with the model, the firmware or a mistake.
package experiments

import "embed"

// Files are NAME.toml, as package bench/experiment reads them, and reference/NAME.csv.
//
//go:embed *.toml reference/*.csv
var Files embed.FS
