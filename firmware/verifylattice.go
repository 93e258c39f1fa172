package firmware

import (
	"errors"
	"fmt"

	"socsim/pqc/mldsa"
	"socsim/pqc/mlkem"
	"socsim/pqc/xof"
)

// verifyMLKEM does an operation of a key encapsulation mechanism again.
func verifyMLKEM(op Operation, v mlkem.Variant, family xof.Family, o *Outcome) error {
	if op.Set < 1 || int(op.Set) > len(mlkem.Sets) {
		return fmt.Errorf("no parameter set has number %d, want 1 to %d", op.Set, len(mlkem.Sets))
	}
	s, err := mlkem.New(mlkem.Sets[op.Set-1], v, family)
	if err != nil {
		return err
	}
	if op.Flags != 0 {
		return fmt.Errorf("flags %#x, a key encapsulation mechanism has none", op.Flags)
	}
	defer func() { o.Permutations, o.Initial = s.Permutations(), s.Initial() }()
	ek, _ := op.Field(RolePublicKey)
	dk, _ := op.Field(RoleSecretKey)
	switch op.Kind {
	case KindKeyGen:
		o.Name = "keygen " + s.Name()
		if err := op.wants([]Role{RoleSeed, RolePublicKey, RoleSecretKey}, nil); err != nil {
			return err
		}
		seed, _ := op.Field(RoleSeed)
		wantEK, wantDK, err := s.KeyGen(seed)
		if done, err := op.agreed(err); done {
			return err
		}
		if err := compare(RolePublicKey, ek, wantEK, s.EncapsulationKeyPart); err != nil {
			return err
		}
		return compare(RoleSecretKey, dk, wantDK, s.DecapsulationKeyPart)
	case KindEncaps:
		o.Name = "encaps " + s.Name()
		if err := op.wants([]Role{RolePublicKey, RoleRandom, RoleCiphertext, RoleSharedSecret}, nil); err != nil {
			return err
		}
		m, _ := op.Field(RoleRandom)
		wantKey, wantC, err := s.Encaps(ek, m)
		if done, err := op.agreed(err); done {
			return err
		}
		c, _ := op.Field(RoleCiphertext)
		if err := compare(RoleCiphertext, c, wantC, s.CiphertextPart); err != nil {
			return err
		}
		key, _ := op.Field(RoleSharedSecret)
		return compare(RoleSharedSecret, key, wantKey, nil)
	case KindDecaps:
		o.Name = "decaps " + s.Name()
		if err := op.wants([]Role{RoleSecretKey, RoleCiphertext, RoleSharedSecret}, nil); err != nil {
			return err
		}
		c, _ := op.Field(RoleCiphertext)
		wantKey, err := s.Decaps(dk, c)
		if done, err := op.agreed(err); done {
			return err
		}
		key, _ := op.Field(RoleSharedSecret)
		return compare(RoleSharedSecret, key, wantKey, nil)
	case KindCheckPublicKey:
		o.Name = "checkek " + s.Name()
		if err := op.wants([]Role{RolePublicKey}, nil); err != nil {
			return err
		}
		return op.accepted(s.CheckEncapsulationKey(ek))
	case KindCheckSecretKey:
		o.Name = "checkdk " + s.Name()
		if err := op.wants([]Role{RoleSecretKey}, nil); err != nil {
			return err
		}
		return op.accepted(s.CheckDecapsulationKey(dk))
	}
	return fmt.Errorf("no operation has number %d, want %d keygen, %d encaps, %d decaps, %d or %d of the checks",
		op.Kind, KindKeyGen, KindEncaps, KindDecaps, KindCheckPublicKey, KindCheckSecretKey)
}

// verifyMLDSA runs keygen, sign or verify again.
func verifyMLDSA(op Operation, v mldsa.Variant, family xof.Family, o *Outcome) error {
	if op.Set < 1 || int(op.Set) > len(mldsa.Sets) {
		return fmt.Errorf("no parameter set has number %d, want 1 to %d", op.Set, len(mldsa.Sets))
	}
	s, err := mldsa.New(mldsa.Sets[op.Set-1], v, family)
	if err != nil {
		return err
	}
	defer func() { o.Permutations, o.Initial = s.Permutations(), s.Initial() }()
	pk, _ := op.Field(RolePublicKey)
	sk, _ := op.Field(RoleSecretKey)
	m, _ := op.Field(RoleMessage)
	ctx, _ := op.Field(RoleContext)
	sig, _ := op.Field(RoleSignature)
	if op.Flags&(FlagInternal|FlagExternalMu) != 0 && len(ctx) > 0 {
		return fmt.Errorf("context of %d bytes at an interface that has none", len(ctx))
	}
	if op.Flags&FlagPadded != 0 {
		return errors.New("flag padded, which this scheme has not")
	}
	if op.Flags&FlagInternal != 0 && op.Flags&FlagExternalMu != 0 {
		return errors.New("flags of two interfaces, internal and external mu")
	}
	switch op.Kind {
	case KindKeyGen:
		o.Name = "keygen " + s.Name()
		if err := op.wants([]Role{RoleSeed, RolePublicKey, RoleSecretKey}, nil); err != nil {
			return err
		}
		seed, _ := op.Field(RoleSeed)
		wantPK, wantSK, err := s.KeyGen(seed)
		if done, err := op.agreed(err); done {
			return err
		}
		if err := compare(RolePublicKey, pk, wantPK, s.PublicKeyPart); err != nil {
			return err
		}
		return compare(RoleSecretKey, sk, wantSK, s.SecretKeyPart)
	case KindSign:
		o.Name = "sign " + s.Name()
		if err := op.wants([]Role{RoleSecretKey, RoleMessage, RoleSignature}, []Role{RoleContext, RoleRandom}); err != nil {
			return err
		}
		rnd, _ := op.Field(RoleRandom)
		switch {
		case op.Flags&FlagDeterministic == 0 && rnd == nil:
			rnd = []byte{} // missing is a wrong length, not a wish for the deterministic variant
		case op.Flags&FlagDeterministic != 0 && len(rnd) > 0:
			return fmt.Errorf("deterministic signing with %d bytes of randomness", len(rnd))
		}
		var want []byte
		switch {
		case op.Flags&FlagExternalMu != 0:
			want, err = s.SignMu(m, sk, rnd)
		case op.Flags&FlagInternal != 0:
			want, err = s.SignInternal(m, sk, rnd)
		default:
			want, err = s.Sign(m, ctx, sk, rnd)
		}
		if done, err := op.agreed(err); done {
			return err
		}
		return compare(RoleSignature, sig, want, s.SignaturePart)
	case KindVerify:
		o.Name = "verify " + s.Name()
		if err := op.wants([]Role{RolePublicKey, RoleMessage, RoleSignature}, []Role{RoleContext}); err != nil {
			return err
		}
		switch {
		case op.Flags&FlagExternalMu != 0:
			err = s.VerifyMu(m, sig, pk)
		case op.Flags&FlagInternal != 0:
			err = s.VerifyInternal(m, sig, pk)
		default:
			err = s.Verify(m, sig, ctx, pk)
		}
		return op.accepted(err)
	}
	return fmt.Errorf("no operation has number %d, want %d keygen, %d sign or %d verify", op.Kind, KindKeyGen, KindSign, KindVerify)
}
