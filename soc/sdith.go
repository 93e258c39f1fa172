package soc

import (
	"fmt"

	"socsim/sdith/device"
)

// SDitHConfig is the coprocessor as it was built, defaults written out.
type SDitHConfig struct {
	Configuration string `json:"configuration"`
	CacheDepth    int    `json:"cache_depth"`
	HComInPhase12 bool   `json:"hcom_in_phase12"`
	Path          string `json:"path"`
	ClockRatio    string `json:"clock_ratio"`

	// Costs of its units.
	AES         int `json:"aes"`
	Rijndael    int `json:"rijndael"`
	Permutation int `json:"permutation"`
	Digit       int `json:"digit"`
	Word        int `json:"word"`
}

func sdithConfig(c device.Config) *SDitHConfig {
	p := c.Pipeline
	return &SDitHConfig{
		p.Name(), p.CacheDepth, p.HComInPhase12, p.Path.String(), c.ClockRatio.String(),
		p.Costs.AES, p.Costs.Rijndael, p.Costs.Permutation, p.Costs.Digit, p.Costs.Word,
	}
}

// SDitHStats is the coprocessor's part of a region.
type SDitHStats struct {
	WordsIn    uint64 `json:"words_in"`
	WordsOut   uint64 `json:"words_out"`
	Signatures uint64 `json:"signatures"`
	BusyCycles uint64 `json:"busy_cycles"`
}

func sdithStats(s device.Statistics) SDitHStats {
	return SDitHStats{s.WordsIn, s.WordsOut, s.Signatures, uint64(s.BusyCycles)}
}

func (a SDitHStats) minus(b SDitHStats) SDitHStats {
	return SDitHStats{a.WordsIn - b.WordsIn, a.WordsOut - b.WordsOut, a.Signatures - b.Signatures, a.BusyCycles - b.BusyCycles}
}

func (a SDitHStats) plus(b SDitHStats) SDitHStats {
	return SDitHStats{a.WordsIn + b.WordsIn, a.WordsOut + b.WordsOut, a.Signatures + b.Signatures, a.BusyCycles + b.BusyCycles}
}

// within tells whether no count is more than that of b.
func (a SDitHStats) within(b SDitHStats) bool {
	return a.WordsIn <= b.WordsIn && a.WordsOut <= b.WordsOut && a.Signatures <= b.Signatures && a.BusyCycles <= b.BusyCycles
}

// consistentSDitH returns the device that is the coprocessor, nil without one, or an
// error that names two parts of the result which cannot both be true.
func (r *Result) consistentSDitH() (unit *Device, err error) {
	for i := range r.Devices {
		d := &r.Devices[i]
		if d.SDitH == nil {
			continue
		}
		if unit != nil {
			return nil, fmt.Errorf("devices[%d]: a second SDitH coprocessor", i)
		}
		unit = d
		s, sum := d.SDitH, uint64(0)
		for _, p := range s.Phases {
			sum += uint64(p.Cycles)
		}
		switch {
		case uint64(s.BusyCycles+s.IdleCycles) != r.Cycles:
			return nil, fmt.Errorf("devices[%d].sdith: busy and idle cycles add up to %d, not to %d", i, s.BusyCycles+s.IdleCycles, r.Cycles)
		case sum != uint64(s.BusyCycles):
			return nil, fmt.Errorf("devices[%d].sdith: the phases add up to %d, not to %d busy cycles", i, sum, s.BusyCycles)
		case s.WordsIn > d.Stores.Count || s.WordsOut > d.Loads.Count:
			return nil, fmt.Errorf("devices[%d].sdith: %d words in and %d out are more than its stores and loads", i, s.WordsIn, s.WordsOut)
		}
	}
	if (unit != nil) != (r.Config.SDitH != nil) {
		return nil, fmt.Errorf("config.sdith is there, or a device with its counters, but not both")
	}
	return unit, nil
}
