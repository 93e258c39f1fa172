package sdith

import (
	"slices"
	"testing"
	"time"
)

// Operations of every set, with the inputs of known answers. Proofs of work take a
// different time for each message, so the median over the messages is reported, too.

func BenchmarkGenerateKey(b *testing.B) {
	benchmark(b, func(p *Params, k KAT, _ *SecretKey, _ []byte) error {
		_, err := p.GenerateKey(k.KeyEntropy)
		return err
	})
}

func BenchmarkSign(b *testing.B) {
	benchmark(b, func(_ *Params, k KAT, sk *SecretKey, _ []byte) error {
		_, err := sk.Sign(k.Msg, k.SignEntropy)
		return err
	})
}

func BenchmarkVerify(b *testing.B) {
	benchmark(b, func(_ *Params, k KAT, sk *SecretKey, sig []byte) error {
		return sk.PublicKey.Verify(k.Msg, sig)
	})
}

func benchmark(b *testing.B, operation func(*Params, KAT, *SecretKey, []byte) error) {
	for _, p := range Sets {
		b.Run(p.Name, func(b *testing.B) {
			const entries = 15
			var kats []KAT
			var keys []*SecretKey
			var sigs [][]byte
			for i := range entries {
				k, sk := katKey(b, p, i)
				sig, err := sk.Sign(k.Msg, k.SignEntropy)
				if err != nil {
					b.Fatal(err)
				}
				kats, keys, sigs = append(kats, k), append(keys, sk), append(sigs, sig)
			}
			var times []time.Duration
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				if err := operation(p, kats[i%entries], keys[i%entries], sigs[i%entries]); err != nil {
					b.Fatal(err)
				}
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(times[len(times)/2].Seconds()*1e3, "ms-median")
		})
	}
}
