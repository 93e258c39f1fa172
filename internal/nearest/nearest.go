// Package nearest finds the known name that a mistyped one most likely means,
// so that an error can say "did you mean ...".
package nearest

import "strings"

// Name returns the name with the smallest edit distance (insert, delete,
// replace, swap of neighbours; upper and lower case are the same) to word, or
// "" if none is near enough to be a typing mistake. What was cut off counts as
// one edit. Of names equally near, the first is meant.
func Name(word string, known []string) string {
	// A third of the letters wrong is another word, not a slip.
	best, limit := "", len(word)/3+2
	word = strings.ToLower(word)
	for _, k := range known {
		d := distance(word, strings.ToLower(k))
		if word != "" && strings.HasPrefix(strings.ToLower(k), word) {
			d = min(d, 1)
		}
		if d < limit {
			best, limit = k, d
		}
	}
	return best
}

// Hint returns " (did you mean NAME?)", or nothing.
func Hint(word string, known []string) string {
	if n := Name(word, known); n != "" {
		return " (did you mean " + n + "?)"
	}
	return ""
}

// distance is the restricted Damerau-Levenshtein distance, in bytes.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}
