package firmware

import (
	"crypto/sha3"
	"errors"
	"fmt"

	"socsim/pqc/xof"
	"socsim/sdith"
)

// splitSize is the length of a field of role RoleSplit.
const splitSize = 3 * 8

// verifySDitH signs or verifies again. What a coprocessor signed it may have as a
// digest of the signature, SHA3-256, beside it, and with the cycles that loading,
// computing and unloading took, which only the guest can know.
func verifySDitH(op Operation, family xof.Family, o *Outcome) error {
	if op.Set < 1 || int(op.Set) > len(sdith.Sets) {
		return fmt.Errorf("no parameter set has number %d, want 1 to %d", op.Set, len(sdith.Sets))
	}
	if op.Flags&^FlagDevice != 0 || op.Flags != 0 && op.Kind != KindSign {
		return fmt.Errorf("flags %#x, SDitH has %#x for signing and none else", op.Flags, FlagDevice)
	}
	p := sdith.Sets[op.Set-1]
	name := "SDitH " + p.Name
	if family.Number != xof.SHAKE.Number {
		name += " over " + family.Name + " (own instance)"
	}
	suite, mode := family.Suite(), xof.XOF256
	if p.Lambda == 128 {
		mode = xof.XOF128
	}
	p = p.Over(func() xof.State { return suite.Message(mode) })
	defer func() { o.Permutations, o.Initial = suite.Permutations(), suite.Initial() }()

	m, _ := op.Field(RoleMessage)
	sig, _ := op.Field(RoleSignature)
	switch op.Kind {
	case KindSign:
		o.Name = "sign " + name
		var optional []Role
		if op.Flags&FlagDevice != 0 {
			optional = []Role{RoleDigest, RoleSplit}
		}
		if err := op.wants([]Role{RoleSecretKey, RoleMessage, RoleRandom, RoleSignature}, optional); err != nil {
			return err
		}
		if split, ok := op.Field(RoleSplit); ok && len(split) != splitSize {
			return fmt.Errorf("%s of %d bytes, want %d", RoleSplit, len(split), splitSize)
		}
		b, _ := op.Field(RoleSecretKey)
		entropy, _ := op.Field(RoleRandom)
		sk, err := sdith.ParseSecretKey(p, b)
		var want []byte
		if err == nil {
			want, err = sk.Sign(m, entropy)
		}
		if done, err := op.agreed(err); done {
			return err
		}
		if err := compare(RoleSignature, sig, want, func(at int) string { return signaturePart(p, at) }); err != nil {
			return err
		}
		if digest, ok := op.Field(RoleDigest); ok {
			sum := sha3.Sum256(want)
			return compare(RoleDigest, digest, sum[:], nil)
		}
		return nil
	case KindVerify:
		o.Name = "verify " + name
		if err := op.wants([]Role{RolePublicKey, RoleMessage, RoleSignature}, nil); err != nil {
			return err
		}
		b, _ := op.Field(RolePublicKey)
		pk, err := sdith.ParsePublicKey(p, b)
		if err == nil {
			err = pk.Verify(m, sig)
		}
		return op.accepted(err)
	}
	return fmt.Errorf("no operation has number %d, want %d sign or %d verify", op.Kind, KindSign, KindVerify)
}

// signaturePart says what byte number at of a signature belongs to.
func signaturePart(p *sdith.Params, at int) string {
	for _, f := range p.SignatureFields() {
		if at < f.Offset+f.Size {
			return f.Name
		}
	}
	panic(errors.New("BUG: firmware: a byte behind the signature"))
}
