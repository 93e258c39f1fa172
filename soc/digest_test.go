package soc_test

import (
	"bytes"
	"encoding/hex"

	"golang.org/x/crypto/sha3"
)

// shakeDigest is what the label "hash" of testdata/cases.S computes.
var shakeDigest = func() string {
	out := make([]byte, 8)
	sha3.ShakeSum256(out, bytes.Repeat([]byte{0, 1, 2, 3}, 34))
	return hex.EncodeToString(out)
}()
