package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longest is how many characters of a text of a row are shown.
const longest = 160

// clean makes a text of a row fit to be shown: no control characters, none that turn the
// direction of writing, and an end.
func clean(s string) string { return cut(printable(s), longest) }

// printable is clean without an end.
func printable(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// cut shortens a text to so many characters.
func cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

// slug makes a name for a file of a text.
func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() == 80 {
			break
		}
	}
	if s = strings.Trim(b.String(), "-"); s == "" {
		return "unnamed"
	}
	return s
}

func itoa(n int) string { return strconv.Itoa(n) }

// count writes a number with a comma at every third digit.
func count[T ~uint64 | ~int64 | ~int](n T) string {
	s, sign := strconv.FormatUint(uint64(n), 10), ""
	if n < 0 {
		s, sign = strconv.FormatInt(int64(n), 10)[1:], "-"
	}
	return sign + grouped(s)
}

func grouped(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// decimal writes a number with so many decimals, and a comma at every third digit.
func decimal(x float64, decimals int) string {
	s := strconv.FormatFloat(math.Abs(x), 'f', decimals, 64)
	whole, fraction, ok := strings.Cut(s, ".")
	s = grouped(whole)
	if ok {
		s += "." + fraction
	}
	if x < 0 && strings.Trim(s, "0.,") != "" {
		s = "-" + s
	}
	return s
}

// cyclesText writes a number of cycles, which is whole unless it is a mean.
func cyclesText(x float64) string {
	if x == math.Trunc(x) {
		return decimal(x, 0)
	}
	return decimal(x, 1)
}

// short writes a number in three digits, for a place with no room.
func short(x float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if math.Abs(x) >= 0.9995*u.size {
			return digits3(x/u.size) + " " + u.name
		}
	}
	return significant(x)
}

// significant writes three digits of a number, without zeros behind the point.
func significant(x float64) string {
	s := digits3(x)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func digits3(x float64) string {
	decimals := 0
	switch a := math.Abs(x); {
	case a == 0 || a >= 99.95:
	case a >= 9.995:
		decimals = 1
	case a >= 0.9995:
		decimals = 2
	default:
		decimals = min(12, 2-int(math.Floor(math.Log10(a))))
	}
	return decimal(x, decimals)
}

// percent writes a fraction with one decimal. A little less than all is 99.9%.
func percent(x float64) string {
	s := decimal(100*x, 1) + "%"
	if s == "100.0%" && x < 1 {
		return "99.9%"
	}
	return s
}

// plural writes a number and its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

// and joins names for a sentence.
func and(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}

// natural compares texts with numbers in them: "fifo_depth=4" is before "fifo_depth=16".
func natural(a, b string) int {
	for a != "" && b != "" {
		na, nb := digits(a), digits(b)
		if na > 0 && nb > 0 {
			da, db := strings.TrimLeft(a[:na], "0"), strings.TrimLeft(b[:nb], "0")
			if len(da) != len(db) {
				return len(da) - len(db)
			}
			if c := strings.Compare(da, db); c != 0 {
				return c
			}
			a, b = a[na:], b[nb:]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

// digits is how many digits a text begins with.
func digits(s string) int {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return i
		}
	}
	return len(s)
}

// place is where a name stands in a list; names that are not in it come last.
func place(list []string, name string) int {
	if i := slices.Index(list, name); i >= 0 {
		return i
	}
	return len(list)
}

// ratio is a/b, and whether there is such a number; 0 if not.
func ratio(a, b float64) (float64, bool) {
	q := a / b
	if b == 0 || math.IsNaN(q) || math.IsInf(q, 0) {
		return 0, false
	}
	return q, true
}
