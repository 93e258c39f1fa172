package firmware

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/pqc/slhdsa"
	"socsim/pqc/xof"
)

// f128 is the number of set 128f.
const f128 = 2

// must is for calls of the reference that a test relies on.
func must[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// field copies data, so that a test may change it.
func field(r Role, data []byte) Field { return Field{Role: r, Data: append([]byte{}, data...)} }

// goodOps is a record of firmware that does everything right: a key pair, a
// signature under a context, its verification, the rejection of another one,
// and a hash.
func goodOps(t *testing.T) []Operation {
	t.Helper()
	s := must[*slhdsa.Scheme](t)(slhdsa.New(slhdsa.Sets[f128-1], slhdsa.FIPS205, xof.SHAKE.Functions[xof.XOF256]))
	seed, m, ctx := make([]byte, 48), []byte("message"), []byte("context")
	sk, pk, err := s.KeyGen(seed)
	if err != nil {
		t.Fatal(err)
	}
	sig := must[[]byte](t)(s.Sign(m, ctx, sk, nil))
	digest := make([]byte, 200)
	xof.SHAKE12.Functions[xof.XOF128].Sum(digest, m)
	return []Operation{
		{Scheme: SchemeSLHDSA, Set: f128, Hash: 1, Kind: KindKeyGen, Fields: []Field{
			field(RoleSeed, seed), field(RoleSecretKey, sk), field(RolePublicKey, pk)}},
		{Scheme: SchemeSLHDSA, Set: f128, Hash: 1, Kind: KindSign, Flags: FlagDeterministic, Fields: []Field{
			field(RoleSecretKey, sk), field(RoleMessage, m), field(RoleContext, ctx),
			field(RoleRandom, pk[:16]), field(RoleSignature, sig)}},
		{Scheme: SchemeSLHDSA, Set: f128, Hash: 1, Kind: KindVerify, Result: 1, Fields: []Field{
			field(RolePublicKey, pk), field(RoleMessage, m), field(RoleContext, ctx), field(RoleSignature, sig)}},
		{Scheme: SchemeSLHDSA, Set: f128, Hash: 1, Kind: KindVerify, Result: 0, Flags: FlagInternal, Fields: []Field{
			field(RolePublicKey, pk), field(RoleMessage, m), field(RoleSignature, sig)}},
		{Scheme: SchemeHash, Hash: 2, Kind: KindHash, Fields: []Field{
			field(RoleMessage, m), field(RoleDigest, digest)}},
	}
}

const (
	goodKeyGen = iota
	goodSign
	goodVerify
	goodReject
	goodHash
)

// verdictOf passes operations through a fake RAM, changed by poke before the
// host looks.
func verdictOf(t *testing.T, ops []Operation, poke func(ram []byte, ops []Operation)) Verdict {
	t.Helper()
	ram := fakeRAM(ops)
	parsed := must[[]Operation](t)(ParseRecord(ram, testBase, testRecord))
	if poke != nil {
		poke(ram, parsed)
	}
	return Verify(parsed)
}

func TestVerifyGood(t *testing.T) {
	v := verdictOf(t, goodOps(t), nil)
	if ok := v.Verified(); ok == nil || !*ok {
		t.Error("not verified")
	}
	// Verification counts depend on the signature; they are as many as the
	// reference counted when it verified the same one.
	want := []Outcome{
		{0, "keygen SLH-DSA-SHAKE-128f", "", 4527, 0},
		{1, "sign SLH-DSA-SHAKE-128f", "", 105937, 0},
		{2, "verify SLH-DSA-SHAKE-128f", "", v.Outcomes[goodVerify].Permutations, 0},
		{3, "verify SLH-DSA-SHAKE-128f", "", v.Outcomes[goodReject].Permutations, 0},
		{4, "hash SHAKE128/12", "", 2, 0},
	}
	if diff := cmp.Diff(want, v.Outcomes); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if n := v.Outcomes[goodVerify].Permutations; n < 5000 || n > 8000 {
		t.Errorf("verify took %d permutations, want some 6,400", n)
	}
}

func TestVerifyNothing(t *testing.T) {
	if v := verdictOf(t, nil, nil); v.Verified() != nil || v.Outcomes != nil {
		t.Errorf("verdict %v on an empty record, want none", v)
	}
}

// A byte that changes in guest RAM between the operation and the check.
func TestVerifyFlippedByte(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	good := goodOps(t)
	for _, test := range []struct {
		op   int
		role Role
		at   int
		want string
	}{
		{goodKeyGen, RoleSeed, 0, "secret key: byte 0 is 00, the reference has 01; "},
		{goodKeyGen, RoleSecretKey, 63, "secret key: byte 63 is"},
		{goodKeyGen, RolePublicKey, 31, "public key: byte 31 is"},
		{goodSign, RoleSignature, 0, "signature: byte 0 (R) is"},
		{goodSign, RoleSignature, 17087, "signature: byte 17087 (layer 21, path node 2) is"},
		{goodSign, RoleSignature, 16 + 33*7*16, "signature: byte 3712 (layer 0, chain 0) is"},
		{goodSign, RoleMessage, 0, "signature: byte 0 (R) is"},
		{goodSign, RoleContext, 6, "signature: byte 0 (R) is"},
		{goodSign, RoleSecretKey, 0, "signature: byte 16 (FORS tree 0, secret value) is"},
		{goodSign, RoleRandom, 0, "random field that is not PK.seed"},
		{goodVerify, RoleSignature, 5000, "the guest accepts, the reference rejects: SLH-DSA-SHAKE-128f: signature does not verify"},
		{goodVerify, RolePublicKey, 0, "the guest accepts, the reference rejects"},
		{goodHash, RoleMessage, 0, "digest: byte 0 is"},
		{goodHash, RoleDigest, 199, "1 of 200 bytes differ"},
	} {
		t.Run(fmt.Sprintf("%d %s %d", test.op, test.role, test.at), func(t *testing.T) {
			v := verdictOf(t, good[test.op:test.op+1], func(ram []byte, ops []Operation) {
				for _, f := range ops[0].Fields {
					if f.Role == test.role {
						ram[int(f.Addr)-testBase+test.at] ^= 1
					}
				}
			})
			if ok := v.Verified(); ok == nil || *ok {
				t.Error("verified all the same")
			}
			if got := v.Outcomes[0].Mismatch; !strings.Contains(got, test.want) || strings.Contains(got, "\n") {
				t.Errorf("mismatch %q, want one line with %q", got, test.want)
			}
		})
	}
}

// Entries that contradict themselves or the reference.
func TestVerifyBadEntries(t *testing.T) {
	good := goodOps(t)
	with := func(i int, change func(*Operation)) Operation {
		op := good[i]
		op.Fields = append([]Field{}, op.Fields...)
		change(&op)
		return op
	}
	set := func(op *Operation, r Role, data []byte) {
		for i := range op.Fields {
			if op.Fields[i].Role == r {
				op.Fields[i].Data = data
				return
			}
		}
		op.Fields = append(op.Fields, Field{Role: r, Data: data})
	}
	for _, test := range []struct {
		name string
		op   Operation
		want string // empty: agrees
	}{
		{"scheme", with(goodSign, func(op *Operation) { op.Scheme = 99 }), "no scheme has number 99"},
		{"set 0", with(goodSign, func(op *Operation) { op.Set = 0 }), "no parameter set has number 0, want 1 to 6"},
		{"set 7", with(goodSign, func(op *Operation) { op.Set = 7 }), "no parameter set has number 7"},
		{"hash", with(goodSign, func(op *Operation) { op.Hash = 99 }), "no XOF family has number 99"},
		{"operation", with(goodSign, func(op *Operation) { op.Kind = 4 }), "no operation has number 4"},
		{"mode", with(goodHash, func(op *Operation) { op.Kind = KindHash + 4 }), "family shake12 has no mode 4"},
		{"mode, huge", with(goodHash, func(op *Operation) { op.Kind = 0xffff_ffff }), "family shake12 has no mode"},
		{"keygen of a hash", with(goodHash, func(op *Operation) { op.Kind = KindKeyGen }), "operation 1 of a hash"},
		{"flags", with(goodSign, func(op *Operation) { op.Flags = 0x81 }), "unknown flags 0x81"},
		{"no seed", with(goodKeyGen, func(op *Operation) { op.Fields = op.Fields[1:] }), `no field "seed"`},
		{"no signature", with(goodSign, func(op *Operation) { op.Fields = op.Fields[:4] }), `no field "signature"`},
		{"stray field", with(goodKeyGen, func(op *Operation) { set(op, RoleDigest, nil) }), `"digest", which has no place`},
		{"unknown field", with(goodKeyGen, func(op *Operation) { set(op, 77, nil) }), `"77", which has no place`},
		{"wrong result of a hash", with(goodHash, func(op *Operation) { op.Result = 1 }), "the guest reports failure 1"},
		{"wrong hash", with(goodHash, func(op *Operation) { op.Hash = 1 }), "digest: byte 0 is"},
		{"wrong set", with(goodSign, func(op *Operation) { op.Set = 4 }), "the reference refuses: SLH-DSA-SHAKE-192f: secret key of 64 bytes, want 96"},
		{"signature cut", with(goodSign, func(op *Operation) { set(op, RoleSignature, make([]byte, 17087)) }), "signature of 17087 bytes, the reference has 17088"},
		{"no signature bytes", with(goodSign, func(op *Operation) { set(op, RoleSignature, nil) }), "signature of 0 bytes"},
		{"failed for no reason", with(goodKeyGen, func(op *Operation) { op.Result = 3 }), "the guest reports failure 3, the reference has none"},
		{"short seed accepted", with(goodKeyGen, func(op *Operation) { set(op, RoleSeed, make([]byte, 47)) }), "the reference refuses: SLH-DSA-SHAKE-128f: seed of 47 bytes"},
		{"short seed refused", with(goodKeyGen, func(op *Operation) { set(op, RoleSeed, make([]byte, 47)); op.Result = 1 }), ""},
		{"long context accepted", with(goodSign, func(op *Operation) { set(op, RoleContext, make([]byte, 256)) }), "context of 256 bytes"},
		{"context, internal", with(goodSign, func(op *Operation) { op.Flags |= FlagInternal }), "context of 7 bytes at the internal interface"},
		{"verify context, internal", with(goodVerify, func(op *Operation) { op.Flags |= FlagInternal }), "context of 7 bytes at the internal interface"},
		{"context, round 3.1", with(goodSign, func(op *Operation) { op.Scheme = SchemeR3 }), "this variant has none"},
		{"hedged without random", with(goodSign, func(op *Operation) { op.Flags = 0; set(op, RoleRandom, nil) }), "addrnd of 0 bytes"},
		{"hedged with PK.seed", with(goodSign, func(op *Operation) { op.Flags = 0 }), ""},
		{"deterministic, field left empty", with(goodSign, func(op *Operation) { set(op, RoleRandom, nil) }), ""},
		{"rejects a good signature", with(goodVerify, func(op *Operation) { op.Result = 0 }), "the guest rejects, the reference accepts"},
		{"accepts a bad one", with(goodReject, func(op *Operation) { op.Result = 1 }), "the guest accepts, the reference rejects"},
		{"neither", with(goodVerify, func(op *Operation) { op.Result = 2 }), "result 2, want 1"},
		{"rejects a cut signature", with(goodVerify, func(op *Operation) { set(op, RoleSignature, make([]byte, 1)); op.Result = 0 }), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := Verify([]Operation{test.op}).Outcomes[0]
			if (o.Mismatch == "") != (test.want == "") || !strings.Contains(o.Mismatch, test.want) || strings.Contains(o.Mismatch, "\n") {
				t.Errorf("mismatch %q, want one line with %q", o.Mismatch, test.want)
			}
			if o.Name == "" {
				t.Error("no name")
			}
		})
	}
}

// One wrong operation among right ones makes the verdict false and leaves the
// other outcomes alone.
func TestVerdictOfMany(t *testing.T) {
	ops := goodOps(t)[goodVerify:]
	ops[1].Result = 1
	v := Verify(ops)
	if ok := v.Verified(); ok == nil || *ok {
		t.Error("verified all the same")
	}
	for i, o := range v.Outcomes {
		if (o.Mismatch != "") != (i == 1) {
			t.Errorf("operation %d: mismatch %q", i, o.Mismatch)
		}
	}
}

// Round 3.1 and hedged internal signing through the record.
func TestVerifyOtherInterfaces(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for _, test := range []struct {
		scheme  Scheme
		variant slhdsa.Variant
		flags   uint32
		name    string
	}{
		{SchemeR3, slhdsa.R3, 0, "sign SPHINCS+-SHAKE-128f-simple (round 3.1)"},
		{SchemeR3, slhdsa.R3, FlagInternal, "sign SPHINCS+-SHAKE-128f-simple (round 3.1)"},
		{SchemeSLHDSA, slhdsa.FIPS205, FlagInternal, "sign SLH-DSA-SHAKE-128f"},
	} {
		s := must[*slhdsa.Scheme](t)(slhdsa.New(slhdsa.Sets[f128-1], test.variant, xof.SHAKE.Functions[xof.XOF256]))
		sk, _, err := s.KeyGen(make([]byte, 48))
		if err != nil {
			t.Fatal(err)
		}
		m, random := []byte("m"), []byte("sixteen bytes...")
		sig := must[[]byte](t)(s.SignInternal(m, sk, random))
		v := verdictOf(t, []Operation{{Scheme: test.scheme, Set: f128, Hash: 1, Kind: KindSign, Flags: test.flags, Fields: []Field{
			field(RoleSecretKey, sk), field(RoleMessage, m), field(RoleRandom, random), field(RoleSignature, sig),
		}}}, nil)
		if diff := cmp.Diff([]Outcome{{0, test.name, "", 105937, 0}}, v.Outcomes); diff != "" {
			t.Errorf("outcomes (-want +got):\n%s", diff)
		}
	}
}

// Families with one sponge in all modes, and schemes over them.
func TestVerifyAscon(t *testing.T) {
	m := []byte("message")
	for _, family := range []xof.Family{xof.ASCON, xof.ASCON8, xof.ASCON128} {
		f := family.Functions[xof.XOF256]
		digest := make([]byte, 20)
		n := f.Sum(digest, m)
		s := must[*slhdsa.Scheme](t)(slhdsa.New(slhdsa.Sets[f128-1], slhdsa.FIPS205, f))
		seed := make([]byte, 48)
		sk, pk, err := s.KeyGen(seed)
		if err != nil {
			t.Fatal(err)
		}
		v := verdictOf(t, []Operation{
			{Scheme: SchemeHash, Hash: family.Number, Kind: KindHash + 3, Fields: []Field{field(RoleMessage, m), field(RoleDigest, digest)}},
			{Scheme: SchemeSLHDSA, Set: f128, Hash: family.Number, Kind: KindKeyGen, Fields: []Field{
				field(RoleSeed, seed), field(RoleSecretKey, sk), field(RolePublicKey, pk)}},
		}, nil)
		want := []Outcome{
			{0, "hash " + f.Name, "", n, 1},
			{1, "keygen SLH-DSA 128f over " + f.Name + " (own instance)", "", s.Permutations(), s.Initial()},
		}
		if diff := cmp.Diff(want, v.Outcomes); diff != "" {
			t.Errorf("%s (-want +got):\n%s", family.Name, diff)
		}
	}
}
