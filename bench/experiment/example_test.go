package experiment_test

import (
	"context"
	"fmt"
	"os"

	"socsim/bench/experiment"
	"socsim/bench/store"
)

// One hash behind three buses. Run again with the same folder, nothing is run.
func Example() {
	e, err := experiment.Parse("mine.toml", []byte(`
[[block]]
firmware = ["hash"]
accelerators = ["shake-fifo"]
settings."accel.bus" = ["obi", "axi4-lite", "apb"]
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, err := os.MkdirTemp("", "rows")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	s, err := store.Open(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	summary, err := experiment.Run(context.Background(), e.Points(), s, 2, nil)
	if err != nil || len(summary.Failures) > 0 {
		fmt.Println(err, summary.Failures)
		return
	}
	for _, row := range summary.Rows {
		fmt.Println(row.Point, row.Result.Regions[0].Cycles)
	}
	// Output:
	// hash, shake-fifo, accel.bus=obi 133
	// hash, shake-fifo, accel.bus=axi4-lite 178
	// hash, shake-fifo, accel.bus=apb 197
}
