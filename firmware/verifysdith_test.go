package firmware

import (
	"bytes"
	"crypto/sha3"
	"slices"
	"strings"
	"testing"

	"socsim/pqc/xof"
	"socsim/sdith"
)

// What is right agrees, by name, and with the permutations of the reference; what has a
// byte of an output changed, another result, or a field too few or too many, does not.
func TestVerifySDitH(t *testing.T) {
	entropy, m := make([]byte, 32), []byte("message")
	sign := func(p *sdith.Params, hash uint32) (sign, verify Operation) {
		sk := must[*sdith.SecretKey](t)(p.GenerateKey(entropy))
		sig := must[[]byte](t)(sk.Sign(m, entropy))
		sign = Operation{Scheme: SchemeSDitH, Set: 1, Hash: hash, Kind: KindSign, Fields: []Field{
			field(RoleSecretKey, sk.Bytes()), field(RoleMessage, m), field(RoleRandom, entropy), field(RoleSignature, sig)}}
		verify = Operation{Scheme: SchemeSDitH, Set: 1, Hash: hash, Kind: KindVerify, Result: 1, Fields: []Field{
			field(RolePublicKey, sk.PublicKey.Bytes()), field(RoleMessage, m), field(RoleSignature, sig)}}
		return sign, verify
	}
	s, v := sign(sdith.Cat1Fast, 1)
	as, av := sign(sdith.Cat1Fast.Over(func() xof.State { return xof.ASCON.Suite().Message(xof.XOF128) }), 3)
	sum := sha3.Sum256(s.Fields[3].Data)
	device := s
	device.Flags = FlagDevice
	device.Fields = append(slices.Clone(s.Fields), field(RoleDigest, sum[:]), field(RoleSplit, make([]byte, 24)))
	with := func(op Operation, change func(op *Operation)) Operation {
		op.Fields = slices.Clone(op.Fields)
		for i := range op.Fields {
			op.Fields[i].Data = bytes.Clone(op.Fields[i].Data)
		}
		change(&op)
		return op
	}
	for _, test := range []struct {
		name, want string // want is empty: it agrees
		op         Operation
	}{
		{"sign SDitH cat1_fast", "", s},
		{"verify SDitH cat1_fast", "", v},
		{"sign SDitH cat1_fast over ascon (own instance)", "", as},
		{"verify SDitH cat1_fast over ascon (own instance)", "", av},
		{"sign SDitH cat1_fast", "", device},
		{"sign SDitH cat1_fast", "signature: byte 16 (path) is", with(s, func(op *Operation) { op.Fields[3].Data[16]++ })},
		{"sign SDitH cat1_fast", "signature: byte 4483 (ctr) is", with(s, func(op *Operation) { op.Fields[3].Data[4483]++ })},
		{"sign SDitH cat1_fast", "signature: byte 16 (path) is", with(s, func(op *Operation) { op.Fields[1].Data[0]++ })},
		{"sign SDitH cat1_fast", "the reference refuses", with(s, func(op *Operation) { op.Fields[0].Data[162]++ })},
		{"sign SDitH cat1_fast", "", with(s, func(op *Operation) { op.Fields[0].Data[162]++; op.Result = 1 })},
		{"sign SDitH cat1_fast", "secret key of 162 bytes", with(s, func(op *Operation) { op.Fields[0].Data = op.Fields[0].Data[1:] })},
		{"sign SDitH cat1_fast", "entropy of 31 bytes", with(s, func(op *Operation) { op.Fields[2].Data = entropy[1:] })},
		{"sign SDitH cat1_fast", "reports failure 1", with(s, func(op *Operation) { op.Result = 1 })},
		{"sign SDitH cat1_fast", `no field "random"`, with(s, func(op *Operation) { op.Fields = slices.Delete(op.Fields, 2, 3) })},
		{"sign SDitH cat1_fast", `"digest", which has no place`, with(device, func(op *Operation) { op.Flags = 0 })},
		{"sign SDitH cat1_fast", "digest: byte 31 is", with(device, func(op *Operation) { op.Fields[4].Data[31]++ })},
		{"sign SDitH cat1_fast", "of 23 bytes, want 24", with(device, func(op *Operation) { op.Fields[5].Data = make([]byte, 23) })},
		{"verify SDitH cat1_fast", "the guest rejects", with(v, func(op *Operation) { op.Result = 0 })},
		{"verify SDitH cat1_fast", "the guest accepts", with(v, func(op *Operation) { op.Fields[2].Data[4480]++ })},
		{"verify SDitH cat1_fast", "", with(v, func(op *Operation) { op.Fields[2].Data[4480]++; op.Result = 0 })},
		{"verify SDitH cat1_fast over ascon (own instance)", "the guest accepts", with(v, func(op *Operation) { op.Hash = 3 })},
		{"", "no parameter set has number 7, want 1 to 6", with(v, func(op *Operation) { op.Set = 7 })},
		{"", "flags 0x8", with(v, func(op *Operation) { op.Flags = FlagDevice })},
		{"", "flags 0x1", with(s, func(op *Operation) { op.Flags = FlagDeterministic })},
		{"", "no operation has number 1, want 2 sign or 3 verify", with(s, func(op *Operation) { op.Kind = KindKeyGen })},
	} {
		o := Verify([]Operation{test.op}).Outcomes[0]
		if (o.Mismatch == "") != (test.want == "") || !strings.Contains(o.Mismatch, test.want) || test.name != "" && o.Name != test.name {
			t.Errorf("%s: called %q, mismatch %q, want %q", test.name, o.Name, o.Mismatch, test.want)
		}
		if test.want == "" && test.op.Result == 0 && test.op.Kind == KindSign && o.Permutations < 924 {
			t.Errorf("%s: %d permutations, want 924 and those of the proof of work", test.name, o.Permutations)
		}
	}
}
