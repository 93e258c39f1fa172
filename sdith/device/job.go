package device

import (
	"errors"
	"fmt"

	"socsim/clock"
	"socsim/sdith/pipeline"
)

// job is the latest START since reset. The zero value is none.
type job struct {
	started   bool
	code      Code        // why it was refused
	from, end clock.Cycle // a signature is being made in the cycles from <= c < end

	// Cycles from the start to the end of each phase, and of those before it. What phases
	// do at the same time counts for the earlier one.
	ends [pipeline.NumPhases]clock.Cycle

	signature []byte
	attempts  uint64
}

// Job is a START, for those who want to see what happens.
type Job struct {
	Code     Code             // why it was refused
	From, To clock.Cycle      // it is BUSY in the cycles From <= c < To, unless RESET comes before
	Result   *pipeline.Result // nil if it was refused
}

func (j *job) busy(at clock.Cycle) bool { return j.from <= at && at < j.end }

// status returns STATUS in cycle at.
func (j *job) status(at clock.Cycle) uint32 {
	switch {
	case !j.started:
		return statusIdle
	case j.busy(at):
		return statusBusy
	case j.code != NoError:
		return statusError | uint32(j.code)<<statusCode
	}
	return statusDone
}

// elapsed returns the cycles it has taken before cycle at.
func (j *job) elapsed(at clock.Cycle) clock.Cycle { return min(max(at, j.from), j.end) - j.from }

// phase returns how many of them count for a phase.
func (j *job) phase(p int, at clock.Cycle) clock.Cycle {
	begin := clock.Cycle(0)
	if p > 0 {
		begin = j.ends[p-1]
	}
	return min(max(j.elapsed(at), begin), j.ends[p]) - begin
}

// start begins a signature, which is made at once: what it takes is known then.
func (d *Device) start(from clock.Cycle) {
	d.stats.add(&d.job, from)
	d.job = job{started: true, from: from, end: from}
	d.pending = true
	result, err := d.sign()
	if err != nil {
		d.note(fmt.Sprintf("START in cycle %d was refused: %v", from-acts, err))
	} else {
		j := &d.job
		var booked int64
		for i, p := range result.Phases {
			booked += p.Cycles
			j.ends[i] = d.config.cycles(booked)
		}
		j.end = from + d.config.cycles(result.Cycles)
		j.signature, j.attempts = result.Signature, result.Attempts
	}
	if d.observe != nil {
		d.observe(Job{d.job.code, d.job.from, d.job.end, result})
	}
}

// sign makes the signature, or sets the code of the job. It uses the entropy up.
func (d *Device) sign() (*pipeline.Result, error) {
	refuse := func(c Code, format string, a ...any) (*pipeline.Result, error) {
		d.job.code = c
		return nil, fmt.Errorf(format, a...)
	}
	missing := d.entropy.left
	d.entropy.forget()
	switch {
	case d.key.left > 0:
		return refuse(NoKey, "%d of the %d words of KEY were not written since reset", d.key.left, len(d.key.written))
	case missing > 0:
		return refuse(NoEntropy, "%d of the %d words of ENTROPY were not written for this signature; every START uses them up", missing, len(d.entropy.written))
	case d.length > pipeline.MaxMessage:
		return refuse(LongMessage, "LENGTH is %d bytes, the message memory holds %d", d.length, pipeline.MaxMessage)
	}
	if d.machine == nil {
		var err error
		if d.machine, err = pipeline.New(d.config.Pipeline); err != nil {
			panic("BUG: sdith/device: a configuration that passed its check: " + err.Error())
		}
	}
	result, err := d.machine.Sign(pipeline.Job{SecretKey: d.key.bytes(), Message: d.message.data[:d.length], Entropy: d.entropy.bytes()})
	switch {
	case err == nil:
		return result, nil
	case errors.Is(err, pipeline.ErrKey):
		d.job.code = BadKey
	case errors.Is(err, pipeline.ErrWitness):
		d.job.code = BadWitness
	case errors.Is(err, pipeline.ErrMessage) || errors.Is(err, pipeline.ErrEntropy):
		panic("BUG: sdith/device: a job that was looked at: " + err.Error())
	default:
		d.job.code = NoProof
	}
	return nil, err
}

// reset ends everything from cycle from on.
func (d *Device) reset(from clock.Cycle) {
	if d.job.busy(from) {
		d.stats.Abandoned++
	}
	d.stats.add(&d.job, from)
	d.job = job{}
	d.pending, d.done = false, false
	d.clear()
}

// mostNotes is how many notes are kept.
const mostNotes = 3

func (d *Device) note(text string) {
	if len(d.notes) < mostNotes {
		d.notes = append(d.notes, "the SDitH coprocessor: "+text)
	}
}

// Notes says what the device refused, the first few times.
func (d *Device) Notes() []string { return d.notes }
