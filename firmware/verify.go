package firmware

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"socsim/pqc/mldsa"
	"socsim/pqc/mlkem"
	"socsim/pqc/slhdsa"
	"socsim/pqc/xof"
)

// Verdict is what Verify found.
type Verdict struct {
	Outcomes []Outcome // one for each operation, in order
}

// Verified is true when every operation was right, false when one was not, and
// nil when there was none to check.
func (v Verdict) Verified() *bool {
	if len(v.Outcomes) == 0 {
		return nil
	}
	ok := !slices.ContainsFunc(v.Outcomes, func(o Outcome) bool { return o.Mismatch != "" })
	return &ok
}

// Outcome is the verdict on one operation.
type Outcome struct {
	Index int    // place in the record
	Name  string // as in "sign SLH-DSA-SHAKE-128f"

	// Mismatch is one line that says how the record differs from what the
	// reference gets from the same inputs, or why it makes no sense. Empty: it
	// agrees.
	Mismatch string

	// Permutations is how many the reference needed. Scheme firmware that hashes
	// as the standard says needs as many. Zero if it could not run.
	Permutations uint64
	// Initial is how many of these have the same result for every message, so that
	// a unit or a program may hold it.
	Initial uint64
}

// Verify does every recorded operation again on the host, from the recorded
// inputs, and compares with the recorded outputs. An operation that failed in the
// guest agrees if the reference refuses the same inputs.
func Verify(ops []Operation) Verdict {
	var v Verdict
	for _, op := range ops {
		o := Outcome{Index: op.Index}
		if err := verify(op, &o); err != nil {
			o.Mismatch = err.Error()
		}
		v.Outcomes = append(v.Outcomes, o)
	}
	return v
}

// verify fills o but for the mismatch, which it returns.
func verify(op Operation, o *Outcome) error {
	o.Name = fmt.Sprintf("operation %d of scheme %d", op.Kind, op.Scheme) // until it is known better
	if op.Flags >= flagsEnd {
		return fmt.Errorf("unknown flags %#x", op.Flags)
	}
	family, err := xof.FamilyByNumber(op.Hash)
	if err != nil {
		return err
	}
	switch op.Scheme {
	case SchemeSLHDSA:
		return verifySLHDSA(op, slhdsa.FIPS205, family, o)
	case SchemeR3:
		return verifySLHDSA(op, slhdsa.R3, family, o)
	case SchemeMLKEM:
		return verifyMLKEM(op, mlkem.FIPS203, family, o)
	case SchemeKyberR3:
		return verifyMLKEM(op, mlkem.R3, family, o)
	case SchemeMLDSA:
		return verifyMLDSA(op, mldsa.FIPS204, family, o)
	case SchemeDilithiumR3:
		return verifyMLDSA(op, mldsa.R3, family, o)
	case SchemeSDitH:
		return verifySDitH(op, family, o)
	case SchemeFalcon:
		return verifyFalcon(op, family, o)
	case SchemeHash:
		return verifyHash(op, family, o)
	}
	return fmt.Errorf("no scheme has number %d", op.Scheme)
}

// verifyHash hashes the message again.
func verifyHash(op Operation, family xof.Family, o *Outcome) error {
	if op.Kind < KindHash {
		return fmt.Errorf("operation %d of a hash, want %d plus the mode", op.Kind, KindHash)
	}
	f, err := family.Function(xof.Mode(op.Kind - KindHash))
	if err != nil {
		return err
	}
	o.Name = "hash " + f.Name
	if err := op.wants([]Role{RoleMessage, RoleDigest}, nil); err != nil {
		return err
	}
	if op.Result != 0 {
		return fmt.Errorf("the guest reports failure %d, the reference has none", op.Result)
	}
	m, _ := op.Field(RoleMessage)
	got, _ := op.Field(RoleDigest)
	want := make([]byte, len(got))
	s := f.New()
	s.Absorb(m)
	s.Squeeze(want)
	o.Permutations, o.Initial = s.Permutations(), s.Initial()
	return compare(RoleDigest, got, want, nil)
}

// verifySLHDSA runs keygen, sign or verify again.
func verifySLHDSA(op Operation, v slhdsa.Variant, family xof.Family, o *Outcome) error {
	if op.Set < 1 || int(op.Set) > len(slhdsa.Sets) {
		return fmt.Errorf("no parameter set has number %d, want 1 to %d", op.Set, len(slhdsa.Sets))
	}
	f, err := family.Function(xof.XOF256)
	if err != nil {
		return err
	}
	s, err := slhdsa.New(slhdsa.Sets[op.Set-1], v, f)
	if err != nil {
		return err
	}
	defer func() { o.Permutations, o.Initial = s.Permutations(), s.Initial() }()
	if op.Flags&(FlagExternalMu|FlagPadded) != 0 {
		return errors.New("flags external mu or padded, which this scheme has not")
	}
	switch op.Kind {
	case KindKeyGen:
		o.Name = "keygen " + s.Name()
		return verifyKeyGen(op, s)
	case KindSign:
		o.Name = "sign " + s.Name()
		return verifySign(op, s)
	case KindVerify:
		o.Name = "verify " + s.Name()
		return verifyVerify(op, s)
	}
	return fmt.Errorf("no operation has number %d, want %d keygen, %d sign or %d verify", op.Kind, KindKeyGen, KindSign, KindVerify)
}

func verifyKeyGen(op Operation, s *slhdsa.Scheme) error {
	if err := op.wants([]Role{RoleSeed, RoleSecretKey, RolePublicKey}, nil); err != nil {
		return err
	}
	seed, _ := op.Field(RoleSeed)
	sk, pk, err := s.KeyGen(seed)
	if done, err := op.agreed(err); done {
		return err
	}
	got, _ := op.Field(RoleSecretKey)
	if err := compare(RoleSecretKey, got, sk, nil); err != nil {
		return err
	}
	got, _ = op.Field(RolePublicKey)
	return compare(RolePublicKey, got, pk, nil)
}

func verifySign(op Operation, s *slhdsa.Scheme) error {
	if err := op.wants([]Role{RoleSecretKey, RoleMessage, RoleSignature}, []Role{RoleContext, RoleRandom}); err != nil {
		return err
	}
	sk, _ := op.Field(RoleSecretKey)
	m, _ := op.Field(RoleMessage)
	ctx, _ := op.Field(RoleContext)
	random, _ := op.Field(RoleRandom)
	if op.Flags&FlagDeterministic != 0 {
		// The guest may record the opt_rand it used or leave the field empty.
		if len(random) > 0 && len(sk) == s.SecretKeySize() && !bytes.Equal(random, sk[2*s.N:3*s.N]) {
			return errors.New("deterministic signing with a random field that is not PK.seed")
		}
		random = nil
	} else if random == nil {
		random = []byte{} // missing is a wrong length, not a wish for the deterministic variant
	}

	var sig []byte
	var err error
	if op.Flags&FlagInternal != 0 {
		if len(ctx) > 0 {
			return fmt.Errorf("context of %d bytes at the internal interface, which has none", len(ctx))
		}
		sig, err = s.SignInternal(m, sk, random)
	} else {
		sig, err = s.Sign(m, ctx, sk, random)
	}
	if done, err := op.agreed(err); done {
		return err
	}
	got, _ := op.Field(RoleSignature)
	return compare(RoleSignature, got, sig, s.Component)
}

func verifyVerify(op Operation, s *slhdsa.Scheme) error {
	if err := op.wants([]Role{RolePublicKey, RoleMessage, RoleSignature}, []Role{RoleContext}); err != nil {
		return err
	}
	pk, _ := op.Field(RolePublicKey)
	m, _ := op.Field(RoleMessage)
	ctx, _ := op.Field(RoleContext)
	sig, _ := op.Field(RoleSignature)
	var err error
	if op.Flags&FlagInternal != 0 {
		if len(ctx) > 0 {
			return fmt.Errorf("context of %d bytes at the internal interface, which has none", len(ctx))
		}
		err = s.VerifyInternal(m, sig, pk)
	} else {
		err = s.Verify(m, sig, ctx, pk)
	}
	return op.accepted(err)
}

// accepted compares the result of an operation that accepts or rejects with err, the
// reference's reason to reject.
func (op Operation) accepted(err error) error {
	switch {
	case op.Result > 1:
		return fmt.Errorf("result %d, want 1 for accepted or 0 for rejected", op.Result)
	case op.Result == 1 && err != nil:
		return fmt.Errorf("the guest accepts, the reference rejects: %w", err)
	case op.Result == 0 && err == nil:
		return errors.New("the guest rejects, the reference accepts")
	}
	return nil
}

// agreed compares the result of an operation that has outputs with err, the
// reference's. If one of them failed there are no outputs to compare: done.
func (op Operation) agreed(err error) (done bool, mismatch error) {
	switch failed := op.Result != 0; {
	case failed && err != nil:
		return true, nil
	case failed:
		return true, fmt.Errorf("the guest reports failure %d, the reference has none", op.Result)
	case err != nil:
		return true, fmt.Errorf("the guest reports success, the reference refuses: %w", err)
	}
	return false, nil
}

// wants checks that op has a field of every required role and none that is
// neither required nor optional.
func (op Operation) wants(required, optional []Role) error {
	for _, r := range required {
		if _, ok := op.Field(r); !ok {
			return fmt.Errorf("the record has no field %q", r)
		}
	}
	for _, f := range op.Fields {
		if !slices.Contains(required, f.Role) && !slices.Contains(optional, f.Role) {
			return fmt.Errorf("the record has a field %q, which has no place in this operation", f.Role)
		}
	}
	return nil
}

// compare returns an error that says where got, the guest's output, differs
// from want. place, if not nil, says what a byte is part of.
func compare(r Role, got, want []byte, place func(at int) string) error {
	if len(got) != len(want) {
		return fmt.Errorf("%s of %d bytes, the reference has %d", r, len(got), len(want))
	}
	first, differ := 0, 0
	for i := len(got) - 1; i >= 0; i-- {
		if got[i] != want[i] {
			first = i
			differ++
		}
	}
	if differ == 0 {
		return nil
	}
	var where strings.Builder
	fmt.Fprintf(&where, "byte %d", first)
	if place != nil {
		fmt.Fprintf(&where, " (%s)", place(first))
	}
	return fmt.Errorf("%s: %s is %02x, the reference has %02x; %d of %d bytes differ",
		r, &where, got[first], want[first], differ, len(got))
}
