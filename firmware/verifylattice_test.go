package firmware

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"socsim/pqc/falcon"
	"socsim/pqc/mldsa"
	"socsim/pqc/mlkem"
	"socsim/pqc/xof"
)

// latticeOps is a record of firmware that does everything right, by what it does.
func latticeOps(t *testing.T) map[string]Operation {
	t.Helper()
	kem := must[*mlkem.Scheme](t)(mlkem.New(mlkem.Sets[0], mlkem.FIPS203, xof.SHAKE))
	seed, m := make([]byte, 64), make([]byte, 32)
	ek, dk, err := kem.KeyGen(seed)
	if err != nil {
		t.Fatal(err)
	}
	key, c, err := kem.Encaps(ek, m)
	if err != nil {
		t.Fatal(err)
	}
	bad := bytes.Clone(ek)
	bad[0], bad[1] = 0xff, 0xff

	dsa := must[*mldsa.Scheme](t)(mldsa.New(mldsa.Sets[0], mldsa.FIPS204, xof.SHAKE))
	pk, sk, err := dsa.KeyGen(seed[:32])
	if err != nil {
		t.Fatal(err)
	}
	message, ctx, mu := []byte("message"), []byte("context"), make([]byte, 64)
	sig := must[[]byte](t)(dsa.Sign(message, ctx, sk, nil))
	hedged := must[[]byte](t)(dsa.SignInternal(message, sk, m))
	byMu := must[[]byte](t)(dsa.SignMu(mu, sk, nil))

	fal := must[*falcon.Scheme](t)(falcon.New(falcon.Sets[0], xof.SHAKE))
	falconSeed := append([]byte{1}, make([]byte, falcon.SeedSize-1)...)
	falconSK, falconPK, err := fal.KeyGen(falconSeed)
	if err != nil {
		t.Fatal(err)
	}
	random := make([]byte, falcon.NonceSize+falcon.SeedSize)
	falconSig := must[[]byte](t)(fal.Sign(message, falconSK, random[:falcon.NonceSize], random[falcon.NonceSize:], falcon.Compressed))
	padded := must[[]byte](t)(fal.Sign(message, falconSK, random[:falcon.NonceSize], random[falcon.NonceSize:], falcon.Padded))

	op := func(scheme Scheme, kind Kind, flags, result uint32, fields ...Field) Operation {
		return Operation{Scheme: scheme, Set: 1, Hash: 1, Kind: kind, Flags: flags, Result: result, Fields: fields}
	}
	return map[string]Operation{
		"keygen ML-KEM-512": op(SchemeMLKEM, KindKeyGen, 0, 0, field(RoleSeed, seed), field(RolePublicKey, ek), field(RoleSecretKey, dk)),
		"encaps ML-KEM-512": op(SchemeMLKEM, KindEncaps, 0, 0,
			field(RolePublicKey, ek), field(RoleRandom, m), field(RoleCiphertext, c), field(RoleSharedSecret, key)),
		"decaps ML-KEM-512":     op(SchemeMLKEM, KindDecaps, 0, 0, field(RoleSecretKey, dk), field(RoleCiphertext, c), field(RoleSharedSecret, key)),
		"checkek ML-KEM-512":    op(SchemeMLKEM, KindCheckPublicKey, 0, 1, field(RolePublicKey, ek)),
		"checkek ML-KEM-512 no": op(SchemeMLKEM, KindCheckPublicKey, 0, 0, field(RolePublicKey, bad)),
		"checkdk ML-KEM-512":    op(SchemeMLKEM, KindCheckSecretKey, 0, 1, field(RoleSecretKey, dk)),
		"keygen ML-DSA-44":      op(SchemeMLDSA, KindKeyGen, 0, 0, field(RoleSeed, seed[:32]), field(RolePublicKey, pk), field(RoleSecretKey, sk)),
		"sign ML-DSA-44": op(SchemeMLDSA, KindSign, FlagDeterministic, 0,
			field(RoleSecretKey, sk), field(RoleMessage, message), field(RoleContext, ctx), field(RoleSignature, sig)),
		"sign ML-DSA-44 hedged": op(SchemeMLDSA, KindSign, FlagInternal, 0,
			field(RoleSecretKey, sk), field(RoleMessage, message), field(RoleRandom, m), field(RoleSignature, hedged)),
		"sign ML-DSA-44 mu": op(SchemeMLDSA, KindSign, FlagDeterministic|FlagExternalMu, 0,
			field(RoleSecretKey, sk), field(RoleMessage, mu), field(RoleSignature, byMu)),
		"verify ML-DSA-44": op(SchemeMLDSA, KindVerify, 0, 1,
			field(RolePublicKey, pk), field(RoleMessage, message), field(RoleContext, ctx), field(RoleSignature, sig)),
		"verify ML-DSA-44 internal": op(SchemeMLDSA, KindVerify, FlagInternal, 1,
			field(RolePublicKey, pk), field(RoleMessage, message), field(RoleSignature, hedged)),
		"verify ML-DSA-44 mu": op(SchemeMLDSA, KindVerify, FlagExternalMu, 1,
			field(RolePublicKey, pk), field(RoleMessage, mu), field(RoleSignature, byMu)),
		"keygen Falcon-512": op(SchemeFalcon, KindKeyGen, 0, 0, field(RoleSeed, falconSeed), field(RolePublicKey, falconPK), field(RoleSecretKey, falconSK)),
		"sign Falcon-512": op(SchemeFalcon, KindSign, 0, 0,
			field(RoleSecretKey, falconSK), field(RoleMessage, message), field(RoleRandom, random), field(RoleSignature, falconSig)),
		"sign Falcon-512 padded": op(SchemeFalcon, KindSign, FlagPadded, 0,
			field(RoleSecretKey, falconSK), field(RoleMessage, message), field(RoleRandom, random), field(RoleSignature, padded)),
		"verify Falcon-512": op(SchemeFalcon, KindVerify, 0, 1,
			field(RolePublicKey, falconPK), field(RoleMessage, message), field(RoleSignature, padded)),
		"verify Falcon-512 no": op(SchemeFalcon, KindVerify, 0, 0,
			field(RolePublicKey, falconPK), field(RoleMessage, mu), field(RoleSignature, falconSig)),
		"verify ML-DSA-44 no": op(SchemeMLDSA, KindVerify, 0, 0,
			field(RolePublicKey, pk), field(RoleMessage, message), field(RoleSignature, sig)),
	}
}

// What is right agrees, by name; what has one byte of an output changed, or the result,
// does not.
func TestVerifyLattices(t *testing.T) {
	inputs := []Role{RoleSeed, RoleRandom, RoleMessage, RoleContext}
	for name, op := range latticeOps(t) {
		outcome := func(op Operation) Outcome { return Verify([]Operation{op}).Outcomes[0] }
		o := outcome(op)
		if short := strings.Join(strings.Fields(name)[:2], " "); o.Mismatch != "" || o.Name != short {
			t.Errorf("%s: called %q, mismatch %q", name, o.Name, o.Mismatch)
		}
		if o.Permutations == 0 && op.Kind != KindCheckPublicKey {
			t.Errorf("%s: no permutations", name)
		}
		changed := op
		changed.Result ^= 1
		if outcome(changed).Mismatch == "" {
			t.Errorf("%s: another result agrees", name)
		}
		for i, f := range op.Fields {
			changed := op
			changed.Fields = slices.Clone(op.Fields)
			changed.Fields[i].Data = bytes.Clone(f.Data)
			changed.Fields[i].Data[len(f.Data)/3] ^= 0x10
			output := !slices.Contains(inputs, f.Role) && (op.Kind == KindKeyGen || f.Role == RoleCiphertext || f.Role == RoleSharedSecret || f.Role == RoleSignature)
			if output && op.Result == 0 && op.Kind != KindVerify && outcome(changed).Mismatch == "" {
				t.Errorf("%s: with another %s it agrees", name, f.Role)
			}
			changed.Fields = slices.Delete(slices.Clone(op.Fields), i, i+1)
			if optional := f.Role == RoleContext; !optional && outcome(changed).Mismatch == "" {
				t.Errorf("%s: without %s it agrees", name, f.Role)
			}
		}
	}
}

func TestVerifyLatticesRefuses(t *testing.T) {
	ops := latticeOps(t)
	with := func(name string, change func(op *Operation)) Operation {
		op := ops[name]
		op.Fields = slices.Clone(op.Fields)
		change(&op)
		return op
	}
	for _, test := range []struct {
		op   Operation
		want string
	}{
		{with("keygen ML-KEM-512", func(op *Operation) { op.Set = 4 }), "no parameter set has number 4, want 1 to 3"},
		{with("keygen ML-KEM-512", func(op *Operation) { op.Kind = KindSign }), "no operation has number 2, want 1 keygen, 4 encaps"},
		{with("keygen ML-KEM-512", func(op *Operation) { op.Flags = FlagInternal }), "flags 0x2"},
		{with("keygen ML-KEM-512", func(op *Operation) { op.Set = 2 }), "public key of 800 bytes, the reference has 1184"},
		{with("keygen ML-KEM-512", func(op *Operation) { op.Scheme = SchemeKyberR3 }), "public key: byte 0 (t̂[0]) is"},
		{with("encaps ML-KEM-512", func(op *Operation) { op.Set = 3 }), "the reference refuses: ML-KEM-1024: encapsulation key of 800 bytes"},
		{with("encaps ML-KEM-512", func(op *Operation) { op.Hash = 3 }), "ciphertext: byte 0 (u[0]) is"},
		{with("keygen ML-DSA-44", func(op *Operation) { op.Set = 0 }), "no parameter set has number 0, want 1 to 3"},
		{with("keygen ML-DSA-44", func(op *Operation) { op.Kind = KindEncaps }), "no operation has number 4, want 1 keygen, 2 sign or 3 verify"},
		{with("keygen ML-DSA-44", func(op *Operation) { op.Scheme = SchemeDilithiumR3 }), "public key: byte 0 (ρ) is"},
		{with("sign ML-DSA-44", func(op *Operation) { op.Flags |= FlagInternal }), "context of 7 bytes at an interface that has none"},
		{with("sign ML-DSA-44", func(op *Operation) { op.Flags = 0 }), "rnd of 0 bytes, want 32"},
		{with("sign ML-DSA-44 mu", func(op *Operation) { op.Flags |= FlagInternal }), "flags of two interfaces"},
		{with("sign ML-DSA-44 hedged", func(op *Operation) { op.Flags |= FlagDeterministic }), "deterministic signing with 32 bytes of randomness"},
		{with("sign ML-DSA-44", func(op *Operation) { op.Scheme = SchemeDilithiumR3 }), "the reference refuses: Dilithium2 (round 3.1): context of 7 bytes"},
		{with("verify ML-DSA-44 no", func(op *Operation) { op.Result = 2 }), "result 2, want 1"},
		{with("sign ML-DSA-44", func(op *Operation) { op.Flags |= FlagPadded }), "flag padded, which this scheme has not"},
		{with("keygen Falcon-512", func(op *Operation) { op.Set = 3 }), "no parameter set has number 3, want 1 to 2"},
		{with("keygen Falcon-512", func(op *Operation) { op.Kind = KindDecaps }), "no operation has number 5, want 1 keygen, 2 sign or 3 verify"},
		{with("keygen Falcon-512", func(op *Operation) { op.Flags = FlagPadded }), "flags 0x10, Falcon has 0x10, padded, when signing"},
		{with("sign Falcon-512", func(op *Operation) { op.Flags = FlagInternal }), "flags 0x2, Falcon has 0x10"},
		{with("sign Falcon-512", func(op *Operation) { op.Flags = FlagPadded }), "the reference has 666"},
		{with("sign Falcon-512", func(op *Operation) { op.Hash = 3 }), "signature of "},
		{with("sign Falcon-512", func(op *Operation) { op.Fields[2].Data = op.Fields[2].Data[1:] }), "random of 87 bytes, want 88: nonce and seed"},
		{with("verify ML-DSA-44", func(op *Operation) { op.Scheme = SchemeSLHDSA; op.Flags = FlagExternalMu }), "external mu or padded, which this scheme has not"},
	} {
		o := Verify([]Operation{test.op}).Outcomes[0]
		if !strings.Contains(o.Mismatch, test.want) || strings.Contains(o.Mismatch, "\n") {
			t.Errorf("%s: mismatch %q, want one line with %q", o.Name, o.Mismatch, test.want)
		}
	}
}
