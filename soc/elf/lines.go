package elf

import (
	"debug/dwarf"
	"sync"
)

// lines is the DWARF of a file, read when the first report asks for it.
type lines struct {
	once sync.Once
	data *dwarf.Data // nil: none, or unreadable
}

// Line returns the source line of an instruction, or ok = false if the file
// has no debug information for it (compile with -g to have it).
func (f *File) Line(pc uint32) (file string, line int, ok bool) {
	// A report must come out whatever the debug sections hold; the standard
	// library's reader is not promised to survive every damaged input.
	defer func() {
		if recover() != nil {
			file, line, ok = "", 0, false
		}
	}()
	f.lines.once.Do(func() {
		std, err := f.open()
		if err != nil {
			return
		}
		defer std.Close()
		f.lines.data, _ = std.DWARF()
	})
	if f.lines.data == nil {
		return "", 0, false
	}
	unit, err := f.lines.data.Reader().SeekPC(uint64(pc))
	if err != nil {
		return "", 0, false
	}
	table, err := f.lines.data.LineReader(unit)
	if err != nil || table == nil {
		return "", 0, false
	}
	var entry dwarf.LineEntry
	if table.SeekPC(uint64(pc), &entry) != nil || entry.File == nil {
		return "", 0, false
	}
	return entry.File.Name, entry.Line, true
}
