package firmware

import (
	"fmt"
	"strings"
)

// RecordHeader returns the text of hal/socsim_record.h: the layout of the record
// as C constants and structures.
func RecordHeader() string {
	var b strings.Builder
	define := func(table []recordConstant) {
		for _, c := range table {
			fmt.Fprintf(&b, "#define SOCSIM_%s %#xu /* %s */\n", c.name, c.value, c.text)
		}
		b.WriteString("\n")
	}
	words := func(table []recordWord) {
		for _, w := range table {
			fmt.Fprintf(&b, "\tuint32_t %s; /* %s */\n", w.name, w.text)
		}
	}

	b.WriteString("/* Code generated from firmware/record.go. DO NOT EDIT. */\n" +
		"#ifndef SOCSIM_RECORD_H\n#define SOCSIM_RECORD_H\n\n#include <stdint.h>\n\n")
	define([]recordConstant{
		{"RECORD_MAGIC", recordMagic, "the bytes SSCR in memory"},
		{"RECORD_VERSION", recordVersion, "of this layout"},
		{"RECORD_CAPACITY", Capacity, "entries there is room for"},
		{"RECORD_CHECK", recordCheck, "semihosting operation: check the record now"},
		{"RECORD_FIELDS", maxFields, "fields there is room for in an entry"},
	})
	for _, table := range [][]recordConstant{schemeTable, setTable(), kindTable, flagTable, roleTable} {
		define(table)
	}

	b.WriteString("struct socsim_record_field {\n")
	words(fieldTable[:])
	b.WriteString("};\n\nstruct socsim_record_entry {\n")
	words(entryTable[:])
	b.WriteString("\tstruct socsim_record_field fields[SOCSIM_RECORD_FIELDS];\n" +
		"\tuint32_t reserved;\n};\n\nstruct socsim_record {\n")
	words(headerTable[:])
	b.WriteString("\tstruct socsim_record_entry entries[SOCSIM_RECORD_CAPACITY];\n};\n\n")
	fmt.Fprintf(&b, "_Static_assert(sizeof(struct socsim_record_entry) == %d, \"an entry has %d words\");\n\n", 4*entryWords, entryWords)
	fmt.Fprintf(&b, "extern struct socsim_record %s;\n\n#endif\n", RecordSymbol)
	return b.String()
}
