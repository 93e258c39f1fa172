package export

import (
	"io"

	"github.com/parquet-go/parquet-go"

	"socsim/bench/store"
)

// writeParquet writes one file with one row group.
func writeParquet(w io.Writer, rows []store.Row) error {
	p := parquet.NewGenericWriter[Line](w, parquet.CreatedBy("socsim", "", ""))
	if _, err := p.Write(Lines(rows)); err != nil {
		return err
	}
	return p.Close()
}
