package bench

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	"socsim/sdith"
	"socsim/sdith/pipeline"
)

// SDitHRun is a known answer of SDitH on a configuration of the hardware.
type SDitHRun struct {
	Config pipeline.Config
	Count  int // number of the known answer

	// What came out, with what was put in for whoever wants to compare more.
	KAT    sdith.KAT
	Key    *sdith.SecretKey
	Result *pipeline.Result
	Digest string // SHA-256 of the signature, in hexadecimal
	Known  bool   // it is the submission's signature
}

// RunSDitH makes the known answers from start on, count of them, on every
// configuration, jobs at a time, and returns them in that order. Those that take long
// are begun first. done is called after each, from one goroutine at a time; it may be
// nil. The error is that of the first configuration or number that is wrong, or
// ctx.Err().
func RunSDitH(ctx context.Context, configs []pipeline.Config, start, count, jobs int, done func(runs, all int)) ([]SDitHRun, error) {
	for _, c := range configs {
		if err := c.Check(); err != nil {
			return nil, err
		}
		if start < 0 || count < 1 || start+count > sdith.KATEntries {
			return nil, fmt.Errorf("known answers %d to %d: there are 0 to %d", start, start+count-1, sdith.KATEntries-1)
		}
	}
	runs := make([]SDitHRun, 0, len(configs)*count)
	for _, c := range configs {
		for i := range count {
			runs = append(runs, SDitHRun{Config: c, Count: start + i})
		}
	}
	order := make([]int, len(runs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(runs[b].work(), runs[a].work()) })

	var (
		mu       sync.Mutex
		finished int
		failed   error
		group    sync.WaitGroup
	)
	next := make(chan int)
	for range max(1, min(jobs, len(runs))) {
		group.Go(func() {
			for i := range next {
				err := runs[i].run()
				mu.Lock()
				finished++
				if err != nil && failed == nil {
					failed = err
				}
				if done != nil {
					done(finished, len(runs))
				}
				mu.Unlock()
			}
		})
	}
feed:
	for _, i := range order {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	group.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return runs, failed
}

// work is how long a run takes against others: leaves, times passes over them.
func (r *SDitHRun) work() int {
	passes := 3
	if r.Config.HalfPoly {
		passes = 2
	}
	return passes * r.Config.Set.Leaves() * r.Config.Set.BlockSize()
}

func (r *SDitHRun) run() (err error) {
	m, err := pipeline.New(r.Config)
	if err != nil {
		return err
	}
	return r.RunOn(m)
}

// RunOn makes the known answer on a machine of the run's configuration.
func (r *SDitHRun) RunOn(m *pipeline.Machine) (err error) {
	set := r.Config.Set
	if r.KAT, err = set.KAT(r.Count); err != nil {
		return err
	}
	if r.Key, err = set.GenerateKey(r.KAT.KeyEntropy); err != nil {
		return err
	}
	r.Result, err = m.Sign(pipeline.Job{SecretKey: r.Key.Bytes(), Message: r.KAT.Msg, Entropy: r.KAT.SignEntropy})
	if err != nil {
		return err
	}
	digest := sha256.Sum256(r.Result.Signature)
	r.Digest = hex.EncodeToString(digest[:])
	want, err := set.KATDigest(r.Count)
	r.Known = r.Digest == want
	return err
}

// SDitHMinutes are the minutes that the RTL simulation of the hardware takes for one
// known answer, as its README has them, to the minute: HP0 and HP1 of the sets in the
// order of [sdith.Sets].
var SDitHMinutes = map[string]float64{
	"sec1_fast_hp0": 6, "sec1_fast_hp1": 5, "sec1_short_hp0": 27, "sec1_short_hp1": 19,
	"sec3_fast_hp0": 15, "sec3_fast_hp1": 13, "sec3_short_hp0": 114, "sec3_short_hp1": 78,
	"sec5_fast_hp0": 24, "sec5_fast_hp1": 21, "sec5_short_hp0": 162, "sec5_short_hp1": 114,
}
