package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// A run that takes longer than patience shows on a terminal that it is alive,
// again after each beat.
const (
	patience = 2 * time.Second
	beat     = 250 * time.Millisecond
)

// progress is one line on a terminal, rewritten in place. On anything else it
// stays silent.
type progress struct {
	w            io.Writer // nil: not a terminal
	start, shown time.Time
	visible      bool
	cycles       uint64 // of the latest call
}

func newProgress(s *stream) *progress {
	p := &progress{start: time.Now()}
	if f, ok := s.Writer.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.w = s
	}
	return p
}

// show is soc.Options.Progress.
func (p *progress) show(cycles, instret uint64) { p.showRuns("", cycles, instret) }

// showRuns is show for many runs; runs says how many of them are done, and ends in a
// space.
func (p *progress) showRuns(runs string, cycles, instret uint64) {
	p.cycles = cycles
	if p.w == nil {
		return
	}
	now := time.Now()
	seconds := now.Sub(p.start).Seconds()
	if now.Sub(p.start) < patience || now.Sub(p.shown) < beat {
		return
	}
	p.shown = now
	p.say(fmt.Sprintf("%.0f s: %s%s cycles, %.0f MIPS", seconds, runs, count(cycles), float64(instret)/seconds/1e6))
}

// say puts a text in the line, if the run has taken long enough.
func (p *progress) say(text string) {
	if p.w == nil || time.Since(p.start) < patience {
		return
	}
	p.clear()
	fmt.Fprint(p.w, text)
	p.visible = true
}

// seconds since the start.
func (p *progress) seconds() float64 { return time.Since(p.start).Seconds() }

// clear takes the line away: to the start of the line, erase to its end.
func (p *progress) clear() {
	if p.visible {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.visible = false
	}
}
