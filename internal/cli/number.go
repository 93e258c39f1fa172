package cli

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// count writes a number with a comma at every third digit.
func count[T ~uint64 | ~uint32 | ~int | ~int64](n T) string {
	if n < 0 {
		return "-" + grouped(strconv.FormatInt(int64(n), 10)[1:])
	}
	return grouped(strconv.FormatUint(uint64(n), 10))
}

func grouped(s string) string {
	head := len(s) % 3
	if head == 0 {
		head = 3
	}
	if len(s) <= head {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:head])
	for i := head; i < len(s); i += 3 {
		b.WriteString("," + s[i:i+3])
	}
	return b.String()
}

// percent writes part of whole with one decimal; nothing of nothing is "-".
// 100% is all of it: a little less is 99.9%, which is as wide as others, too.
func percent(part, whole uint64) string {
	if whole == 0 {
		return "-"
	}
	if part == whole {
		return "100%"
	}
	return fmt.Sprintf("%.1f%%", min(99.9, 100*float64(part)/float64(whole)))
}

// ratio writes a/b with two decimals, "-" if b is 0.
func ratio(a, b uint64) string {
	if b == 0 {
		return "-"
	}
	return groupedDecimal(strconv.FormatFloat(float64(a)/float64(b), 'f', 2, 64))
}

// milliseconds writes the time n cycles take.
func milliseconds(n, hz uint64) string {
	ms := 1000 * float64(n) / float64(hz)
	return groupedDecimal(strconv.FormatFloat(ms, 'f', 3, 64))
}

func groupedDecimal(s string) string {
	whole, fraction, _ := strings.Cut(s, ".")
	return grouped(whole) + "." + fraction
}

// frequency writes a frequency in the largest unit that needs no more than
// three decimals.
func frequency(hz uint64) string {
	for _, u := range []struct {
		hz   uint64
		name string
	}{{1_000_000, "MHz"}, {1_000, "kHz"}} {
		if hz >= u.hz && hz%(u.hz/1000) == 0 {
			return strconv.FormatFloat(float64(hz)/float64(u.hz), 'f', -1, 64) + " " + u.name
		}
	}
	return count(hz) + " Hz"
}

// plural writes a number and its noun.
func plural[T ~uint64 | ~int](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

// table lays out rows in columns: the first flush left, the others flush
// right, two spaces between them and before each line. A row of one cell is a
// heading and may run over the columns.
type table struct {
	rows [][]string
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) write(b *strings.Builder) {
	var width []int
	for _, r := range t.rows {
		for i, c := range r {
			if i == len(width) {
				width = append(width, 0)
			}
			if len(r) > 1 {
				width[i] = max(width[i], utf8.RuneCountInString(c))
			}
		}
	}
	for _, r := range t.rows {
		line := ""
		for i, c := range r {
			pad := strings.Repeat(" ", max(0, width[i]-utf8.RuneCountInString(c)))
			if i == 0 {
				line += "  " + c + pad
			} else {
				line += "  " + pad + c
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}
