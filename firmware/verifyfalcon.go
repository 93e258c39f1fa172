package firmware

import (
	"fmt"

	"socsim/pqc/falcon"
	"socsim/pqc/xof"
)

// verifyFalcon runs keygen, sign or verify again. The random field of signing is the
// nonce and behind it the seed.
func verifyFalcon(op Operation, family xof.Family, o *Outcome) error {
	if op.Set < 1 || int(op.Set) > len(falcon.Sets) {
		return fmt.Errorf("no parameter set has number %d, want 1 to %d", op.Set, len(falcon.Sets))
	}
	s, err := falcon.New(falcon.Sets[op.Set-1], family)
	if err != nil {
		return err
	}
	if op.Flags&^FlagPadded != 0 || op.Flags != 0 && op.Kind != KindSign {
		return fmt.Errorf("flags %#x, Falcon has %#x, padded, when signing", op.Flags, FlagPadded)
	}
	defer func() { o.Permutations, o.Initial = s.Permutations(), s.Initial() }()
	pk, _ := op.Field(RolePublicKey)
	sk, _ := op.Field(RoleSecretKey)
	m, _ := op.Field(RoleMessage)
	sig, _ := op.Field(RoleSignature)
	switch op.Kind {
	case KindKeyGen:
		o.Name = "keygen " + s.Name()
		if err := op.wants([]Role{RoleSeed, RolePublicKey, RoleSecretKey}, nil); err != nil {
			return err
		}
		seed, _ := op.Field(RoleSeed)
		wantSK, wantPK, err := s.KeyGen(seed)
		if done, err := op.agreed(err); done {
			return err
		}
		if err := compare(RolePublicKey, pk, wantPK, nil); err != nil {
			return err
		}
		return compare(RoleSecretKey, sk, wantSK, nil)
	case KindSign:
		o.Name = "sign " + s.Name()
		if err := op.wants([]Role{RoleSecretKey, RoleMessage, RoleRandom, RoleSignature}, nil); err != nil {
			return err
		}
		random, _ := op.Field(RoleRandom)
		if want := falcon.NonceSize + falcon.SeedSize; len(random) != want {
			return fmt.Errorf("random of %d bytes, want %d: nonce and seed", len(random), want)
		}
		format := falcon.Compressed
		if op.Flags&FlagPadded != 0 {
			format = falcon.Padded
		}
		want, err := s.Sign(m, sk, random[:falcon.NonceSize], random[falcon.NonceSize:], format)
		if done, err := op.agreed(err); done {
			return err
		}
		return compare(RoleSignature, sig, want, nil)
	case KindVerify:
		o.Name = "verify " + s.Name()
		if err := op.wants([]Role{RolePublicKey, RoleMessage, RoleSignature}, nil); err != nil {
			return err
		}
		return op.accepted(s.Verify(m, sig, pk))
	}
	return fmt.Errorf("no operation has number %d, want %d keygen, %d sign or %d verify", op.Kind, KindKeyGen, KindSign, KindVerify)
}
