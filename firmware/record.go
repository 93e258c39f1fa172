package firmware

import (
	"encoding/binary"
	"fmt"
	"strings"

	"socsim/pqc/falcon"
	"socsim/pqc/mldsa"
	"socsim/pqc/mlkem"
	"socsim/pqc/slhdsa"
	"socsim/sdith"
)

// Scheme firmware leaves a record of what it did in RAM, so that the host can do
// it again and compare: the object RecordSymbol, a header and after it Capacity
// entries of the same size, one for each operation. All of it is 32-bit words,
// little endian. This file is where the layout is written down: the tables
// below yield the parser and, by RecordHeader, what firmware is compiled with.

// RecordSymbol is the name of the object in the ELF file.
const RecordSymbol = "socsim_record"

const (
	recordMagic   = 0x52435353
	recordVersion = 1
	// recordCheck is the semihosting operation by which a program asks the host to check
	// the record during the run, as it will use that memory again.
	recordCheck = 0x100

	// Capacity is how many entries there is room for, maxFields how many fields
	// an entry has room for.
	Capacity  = 32
	maxFields = 8
)

// recordWord is one word of the layout: its name in C and what it holds.
type recordWord struct{ name, text string }

// Word numbers in the header, in an entry and in a field, as the tables below.
const (
	headerMagic = iota
	headerVersion
	headerCount
	headerCapacity
	headerWords
)

const (
	entryScheme = iota
	entrySet
	entryHash
	entryOperation
	entryFlags
	entryResult
	entryFieldCount
	entryFields // maxFields times fieldWords
	entryWords  = entryFields + maxFields*fieldWords + 1
)

const (
	fieldRole = iota
	fieldPointer
	fieldLength
	fieldWords
)

var (
	headerTable = [headerWords]recordWord{
		headerMagic:    {"magic", "SOCSIM_RECORD_MAGIC"},
		headerVersion:  {"version", "SOCSIM_RECORD_VERSION"},
		headerCount:    {"count", "entries in use"},
		headerCapacity: {"capacity", "SOCSIM_RECORD_CAPACITY"},
	}
	entryTable = [entryFields]recordWord{
		entryScheme:     {"scheme", "SOCSIM_SCHEME_..."},
		entrySet:        {"set", "SOCSIM_SET_..., 0 for a hash"},
		entryHash:       {"hash", "the hash under the scheme, SOCSIM_XOF_... of socsim_regs.h"},
		entryOperation:  {"operation", "SOCSIM_OPERATION_..."},
		entryFlags:      {"flags", "SOCSIM_FLAG_..., or-ed"},
		entryResult:     {"result", "verify, checks: 1 accepted, 0 rejected; others: 0 done, else failed"},
		entryFieldCount: {"n_fields", "fields in use"},
	}
	fieldTable = [fieldWords]recordWord{
		fieldRole:    {"role", "SOCSIM_ROLE_..."},
		fieldPointer: {"pointer", "address of the first byte, any if length is 0"},
		fieldLength:  {"length", "bytes"},
	}
)

// Scheme says what kind of operation an entry is about.
type Scheme uint32

const (
	SchemeSLHDSA      Scheme = 1
	SchemeR3          Scheme = 2
	SchemeMLKEM       Scheme = 3
	SchemeKyberR3     Scheme = 4
	SchemeMLDSA       Scheme = 5
	SchemeDilithiumR3 Scheme = 6
	SchemeSDitH       Scheme = 9
	SchemeFalcon      Scheme = 7
	SchemeHash        Scheme = 16
)

// Kind is what was done: an operation of a scheme, or, for SchemeHash, KindHash
// plus the number of the sponge's mode.
type Kind uint32

const (
	KindKeyGen Kind = 1
	KindSign   Kind = 2
	KindVerify Kind = 3

	KindEncaps         Kind = 4
	KindDecaps         Kind = 5
	KindCheckPublicKey Kind = 6
	KindCheckSecretKey Kind = 7

	KindHash Kind = 0x100
)

// Flags of an operation.
const (
	FlagDeterministic = 1 << iota
	FlagInternal
	FlagExternalMu
	FlagDevice
	FlagPadded
	flagsEnd
)

// Role says what a field is.
type Role uint32

const (
	RoleSeed Role = 1 + iota
	RoleSecretKey
	RolePublicKey
	RoleMessage
	RoleContext
	RoleRandom
	RoleSignature
	RoleDigest
	RoleCiphertext
	RoleSharedSecret
	RoleSplit
)

// recordConstant is a number that an entry may hold: its C name without
// SOCSIM_, and what it means.
type recordConstant struct {
	name  string
	value uint32
	text  string
}

var (
	schemeTable = []recordConstant{
		{"SCHEME_SLHDSA", uint32(SchemeSLHDSA), "SLH-DSA of FIPS 205"},
		{"SCHEME_SPHINCS_R3", uint32(SchemeR3), "SPHINCS+ round 3.1, simple"},
		{"SCHEME_MLKEM", uint32(SchemeMLKEM), "ML-KEM of FIPS 203"},
		{"SCHEME_KYBER_R3", uint32(SchemeKyberR3), "Kyber round 3"},
		{"SCHEME_MLDSA", uint32(SchemeMLDSA), "ML-DSA of FIPS 204"},
		{"SCHEME_DILITHIUM_R3", uint32(SchemeDilithiumR3), "Dilithium round 3.1"},
		{"SCHEME_SDITH", uint32(SchemeSDitH), "SDitH version 2"},
		{"SCHEME_FALCON", uint32(SchemeFalcon), "Falcon round 3"},
		{"SCHEME_HASH", uint32(SchemeHash), "one hash"},
	}
	kindTable = []recordConstant{
		{"OPERATION_KEYGEN", uint32(KindKeyGen), "seed -> secret key, public key"},
		{"OPERATION_SIGN", uint32(KindSign), "secret key, message, context, random -> signature"},
		{"OPERATION_VERIFY", uint32(KindVerify), "public key, message, context, signature -> result"},
		{"OPERATION_ENCAPS", uint32(KindEncaps), "public key, random -> ciphertext, shared secret"},
		{"OPERATION_DECAPS", uint32(KindDecaps), "secret key, ciphertext -> shared secret"},
		{"OPERATION_CHECK_PUBLIC_KEY", uint32(KindCheckPublicKey), "public key -> result"},
		{"OPERATION_CHECK_SECRET_KEY", uint32(KindCheckSecretKey), "secret key -> result"},
		{"OPERATION_HASH", uint32(KindHash), "plus the sponge's mode number: message -> digest"},
	}
	flagTable = []recordConstant{
		{"FLAG_DETERMINISTIC", FlagDeterministic, "sign: opt_rand is PK.seed; ML-DSA: rnd is zero"},
		{"FLAG_INTERNAL", FlagInternal, "sign, verify: the message as it stands, no context before it"},
		{"FLAG_EXTERNAL_MU", FlagExternalMu, "ML-DSA sign, verify: the message is its representative mu"},
		{"FLAG_DEVICE", FlagDevice, "SDitH sign: the coprocessor's"},
		{"FLAG_PADDED", FlagPadded, "Falcon sign: a padded signature"},
	}
	roleTable = []recordConstant{
		{"ROLE_SEED", uint32(RoleSeed), "seed"},
		{"ROLE_SECRET_KEY", uint32(RoleSecretKey), "secret key"},
		{"ROLE_PUBLIC_KEY", uint32(RolePublicKey), "public key"},
		{"ROLE_MESSAGE", uint32(RoleMessage), "message"},
		{"ROLE_CONTEXT", uint32(RoleContext), "context"},
		{"ROLE_RANDOM", uint32(RoleRandom), "random"},
		{"ROLE_SIGNATURE", uint32(RoleSignature), "signature"},
		{"ROLE_DIGEST", uint32(RoleDigest), "digest"},
		{"ROLE_CIPHERTEXT", uint32(RoleCiphertext), "ciphertext"},
		{"ROLE_SHARED_SECRET", uint32(RoleSharedSecret), "shared secret"},
		{"ROLE_SPLIT", uint32(RoleSplit), "cycles of load, compute and unload, 64 bits each"},
	}
)

// setTable numbers the parameter sets of each standard by their place in its table.
func setTable() (table []recordConstant) {
	for i, p := range slhdsa.Sets {
		table = append(table, recordConstant{"SET_" + strings.ToUpper(p.Name), uint32(i + 1), "SLH-DSA-SHAKE-" + p.Name})
	}
	for i, p := range mlkem.Sets {
		table = append(table, recordConstant{"SET_MLKEM_" + p.Name, uint32(i + 1), "ML-KEM-" + p.Name})
	}
	for i, p := range mldsa.Sets {
		table = append(table, recordConstant{"SET_MLDSA_" + p.Name, uint32(i + 1), "ML-DSA-" + p.Name})
	}
	for i, p := range sdith.Sets {
		table = append(table, recordConstant{"SET_SDITH_" + strings.ToUpper(p.Name), uint32(i + 1), "SDitH " + p.Name})
	}
	for i, p := range falcon.Sets {
		table = append(table, recordConstant{"SET_FALCON_" + p.Name, uint32(i + 1), "Falcon-" + p.Name})
	}
	return table
}

// text returns what value means in a table, or the value itself.
func text(table []recordConstant, value uint32) string {
	for _, c := range table {
		if c.value == value {
			return c.text
		}
	}
	return fmt.Sprint(value)
}

func (r Role) String() string { return text(roleTable, uint32(r)) }

// Operation is one entry of the record.
type Operation struct {
	Index  int // place in the record
	Scheme Scheme
	Set    uint32 // parameter set, numbered from 1
	Hash   uint32 // XOF family
	Kind   Kind
	Flags  uint32
	Result uint32
	Fields []Field
}

// Field is an input or output of an operation. Data is a view of guest RAM.
type Field struct {
	Role Role
	Addr uint32
	Data []byte
}

// Field returns the contents of the field with role r, and whether there is one.
func (op Operation) Field(r Role) ([]byte, bool) {
	for _, f := range op.Fields {
		if f.Role == r {
			return f.Data, true
		}
	}
	return nil, false
}

// ParseRecord reads the record at guest address addr of a RAM that begins at
// ramBase. Whatever the RAM holds, it returns either entries whose fields all
// lie within RAM, or an error that says what is wrong where. What the numbers
// mean is left to Verify.
func ParseRecord(ram []byte, ramBase, addr uint32) ([]Operation, error) {
	// view returns n bytes at a guest address.
	view := func(addr uint32, n uint64) ([]byte, error) {
		from := uint64(addr) - uint64(ramBase) // huge if addr is below
		if addr < ramBase || from > uint64(len(ram)) || n > uint64(len(ram))-from {
			return nil, fmt.Errorf("%d bytes at %#08x are not within RAM, which is %d bytes from %#08x", n, addr, len(ram), ramBase)
		}
		return ram[from : from+n : from+n], nil
	}
	word := func(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }
	wrong := func(table []recordWord, i int, got uint32, format string, args ...any) error {
		return fmt.Errorf("%s at %#08x: %s is %#x, %s", RecordSymbol, addr, table[i].name, got, fmt.Sprintf(format, args...))
	}

	b, err := view(addr, 4*(headerWords+Capacity*entryWords))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", RecordSymbol, err)
	}
	if m := word(b, headerMagic); m != recordMagic {
		return nil, wrong(headerTable[:], headerMagic, m, "want %#x: this is no record", recordMagic)
	}
	if v := word(b, headerVersion); v != recordVersion {
		return nil, wrong(headerTable[:], headerVersion, v, "want %d: the firmware was built for another version", recordVersion)
	}
	if c := word(b, headerCapacity); c != Capacity {
		return nil, wrong(headerTable[:], headerCapacity, c, "want %d", Capacity)
	}
	count := word(b, headerCount)
	if count > Capacity {
		return nil, wrong(headerTable[:], headerCount, count, "there is room for %d", Capacity)
	}

	var ops []Operation
	for i := range int(count) {
		e := b[4*(headerWords+i*entryWords):][:4*entryWords]
		op := Operation{
			Index: i, Scheme: Scheme(word(e, entryScheme)), Set: word(e, entrySet), Hash: word(e, entryHash),
			Kind: Kind(word(e, entryOperation)), Flags: word(e, entryFlags), Result: word(e, entryResult),
		}
		n := word(e, entryFieldCount)
		if n > maxFields {
			return nil, fmt.Errorf("%s entry %d: %w", RecordSymbol, i, wrong(entryTable[:], entryFieldCount, n, "there is room for %d", maxFields))
		}
		for j := range int(n) {
			f := e[4*(entryFields+j*fieldWords):]
			field := Field{Role: Role(word(f, fieldRole)), Addr: word(f, fieldPointer)}
			if length := word(f, fieldLength); length > 0 {
				if field.Data, err = view(field.Addr, uint64(length)); err != nil {
					return nil, fmt.Errorf("%s entry %d, field %d (%s): %w", RecordSymbol, i, j, field.Role, err)
				}
			}
			if _, twice := op.Field(field.Role); twice {
				return nil, fmt.Errorf("%s entry %d, field %d: there is a field of role %s already", RecordSymbol, i, j, field.Role)
			}
			op.Fields = append(op.Fields, field)
		}
		ops = append(ops, op)
	}
	return ops, nil
}
