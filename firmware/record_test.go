package firmware

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Where the fake guest RAM begins, and where the record is in it.
const (
	testBase   = 0x8000_0000
	testRecord = testBase + 0x40
	testData   = testRecord + 16 + 32*128 // first free byte after it
)

// fakeRAM lays out a record as firmware does, with the offsets written down once
// more: 16 bytes of header, 128 an entry, fields from byte 28 of an entry on, 12
// bytes each. Field data follows the record; Addr is ignored.
func fakeRAM(ops []Operation) []byte {
	ram := make([]byte, testData-testBase)
	put := func(addr uint32, v uint32) { binary.LittleEndian.PutUint32(ram[addr-testBase:], v) }
	put(testRecord, 0x52435353)
	put(testRecord+4, 1)
	put(testRecord+8, uint32(len(ops)))
	put(testRecord+12, 32)
	for i, op := range ops {
		e := uint32(testRecord + 16 + 128*i)
		put(e, uint32(op.Scheme))
		put(e+4, op.Set)
		put(e+8, op.Hash)
		put(e+12, uint32(op.Kind))
		put(e+16, op.Flags)
		put(e+20, op.Result)
		put(e+24, uint32(len(op.Fields)))
		for j, f := range op.Fields {
			at := e + 28 + 12*uint32(j)
			put(at, uint32(f.Role))
			put(at+4, uint32(testBase+len(ram)))
			put(at+8, uint32(len(f.Data)))
			ram = append(ram, f.Data...)
		}
	}
	return ram
}

func TestParseRecord(t *testing.T) {
	want := []Operation{
		{Index: 0, Scheme: 1, Set: 2, Hash: 1, Kind: 2, Flags: 3, Result: 0, Fields: []Field{
			{Role: RoleSecretKey, Addr: testData, Data: []byte("secret")},
			{Role: RoleMessage, Addr: testData + 6, Data: nil},
			{Role: RoleSignature, Addr: testData + 6, Data: []byte("signature")},
		}},
		{Index: 1, Scheme: 16, Set: 0, Hash: 2, Kind: 0x101, Result: 7, Fields: []Field{
			{Role: RoleDigest, Addr: testData + 15, Data: []byte{1}},
		}},
		{Index: 2},
	}
	ram := fakeRAM(want)
	got, err := ParseRecord(ram, testBase, testRecord)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
	// Data is a view: a byte changed in RAM is a byte changed there.
	ram[testData-testBase] = 'S'
	if s, ok := got[0].Field(RoleSecretKey); !ok || string(s) != "Secret" {
		t.Errorf("secret key %q after a change in RAM", s)
	}
	if _, ok := got[0].Field(RoleDigest); ok {
		t.Error("there is a digest in a signing operation")
	}

	full := fakeRAM(make([]Operation, 32))
	if ops, err := ParseRecord(full, testBase, testRecord); err != nil || len(ops) != 32 {
		t.Errorf("full record: %d operations, %v", len(ops), err)
	}
	if ops, err := ParseRecord(fakeRAM(nil), testBase, testRecord); err != nil || len(ops) != 0 {
		t.Errorf("empty record: %d operations, %v", len(ops), err)
	}
}

func TestParseBadRecord(t *testing.T) {
	const entry1 = testRecord - testBase + 16 + 128
	for _, test := range []struct {
		name   string
		offset int // of the word in RAM that is changed, -1 for none
		value  uint32
		addr   uint32
		want   string
	}{
		{"magic", 0x40, 0, testRecord, "magic is 0x0, want 0x52435353"},
		{"version", 0x44, 2, testRecord, "version is 0x2, want 1"},
		{"count", 0x48, 33, testRecord, "count is 0x21, there is room for 32"},
		{"count, huge", 0x48, 0xffff_ffff, testRecord, "count is 0xffffffff"},
		{"capacity", 0x4c, 64, testRecord, "capacity is 0x40, want 32"},
		{"fields", entry1 + 24, 9, testRecord, "entry 1: socsim_record at 0x80000040: n_fields is 0x9, there is room for 8"},
		{"pointer below RAM", entry1 + 28 + 4, 0x1000_0000, testRecord, "entry 1, field 0 (message): 5 bytes at 0x10000000 are not within RAM"},
		{"pointer above RAM", entry1 + 28 + 4, 0xffff_ffff, testRecord, "5 bytes at 0xffffffff"},
		{"length past RAM", entry1 + 28 + 8, 9, testRecord, "9 bytes at"},
		{"length, huge", entry1 + 28 + 8, 0xffff_ffff, testRecord, "4294967295 bytes"},
		{"same role twice", entry1 + 40, uint32(RoleMessage), testRecord, "entry 1, field 1: there is a field of role message already"},
		{"record below RAM", -1, 0, testBase - 4, "4112 bytes at 0x7ffffffc are not within RAM"},
		{"record past RAM", -1, 0, testRecord + 0x40, "not within RAM"},
		{"record at the end of the address space", -1, 0, 0xffff_fffc, "not within RAM"},
		{"another place", -1, 0, testBase, "this is no record"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ram := fakeRAM([]Operation{{}, {Fields: []Field{
				{Role: RoleMessage, Data: []byte("12345")}, {Role: RoleContext, Data: []byte("ctx")},
			}}})
			if test.offset >= 0 {
				binary.LittleEndian.PutUint32(ram[test.offset:], test.value)
			}
			ops, err := ParseRecord(ram, testBase, test.addr)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
			if ops != nil {
				t.Errorf("%d operations beside the error", len(ops))
			}
		})
	}
	if _, err := ParseRecord(nil, testBase, testBase); err == nil {
		t.Error("no error for empty RAM")
	}
}

// Any words of a sound record replaced: patch is a list of 6-byte pairs, offset
// in RAM and new word.
func FuzzParseRecord(f *testing.F) {
	sound := fakeRAM([]Operation{
		{Scheme: SchemeHash, Hash: 1, Kind: KindHash + 1, Fields: []Field{
			{Role: RoleMessage, Data: []byte("message")}, {Role: RoleDigest, Data: make([]byte, 9)},
		}},
		{Scheme: SchemeR3, Set: 2, Hash: 2, Kind: KindVerify, Fields: []Field{
			{Role: RolePublicKey, Data: make([]byte, 32)}, {Role: RoleMessage}, {Role: RoleSignature, Data: make([]byte, 17)},
		}},
	})
	pair := func(offset uint16, word uint32) []byte {
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint16(nil, offset), word)
	}
	f.Add([]byte{}, uint32(testBase), uint32(testRecord), uint32(len(sound)))
	f.Add(pair(0x48, 32), uint32(testBase), uint32(testRecord), uint32(len(sound)))
	f.Add(pair(0x40+16+24, 8), uint32(testBase), uint32(testRecord), uint32(len(sound)))
	f.Add(pair(0x40+16+28+8, 0xffff_ffff), uint32(testBase), uint32(testRecord), uint32(len(sound)))
	f.Add([]byte{}, uint32(0xffff_f000), uint32(0xffff_f040), uint32(5000))
	f.Add([]byte{}, uint32(0), uint32(0xffff_ffff), uint32(0))
	f.Fuzz(func(t *testing.T, patch []byte, base, addr, size uint32) {
		ram := append([]byte{}, sound...)
		for ; len(patch) >= 6; patch = patch[6:] {
			if at := int(binary.LittleEndian.Uint16(patch)); at+4 <= len(ram) {
				copy(ram[at:], patch[2:6])
			}
		}
		ram = ram[:min(int(size), len(ram))]
		ops, err := ParseRecord(ram, base, addr)
		if err != nil && ops != nil {
			t.Errorf("%d operations beside %v", len(ops), err)
		}
		slow := false
		for _, op := range ops {
			if len(op.Fields) > 8 {
				t.Errorf("entry %d has %d fields", op.Index, len(op.Fields))
			}
			for _, field := range op.Fields {
				if len(field.Data) > len(ram) {
					t.Errorf("entry %d, %s: %d bytes out of %d", op.Index, field.Role, len(field.Data), len(ram))
				}
			}
			slow = slow || op.Scheme != SchemeHash && op.Kind != KindVerify
		}
		if slow {
			return // keygen and sign take a while
		}
		if v := Verify(ops); len(v.Outcomes) != len(ops) {
			t.Errorf("%d outcomes for %d operations", len(v.Outcomes), len(ops))
		}
	})
}

// The numbers of the record as firmware is compiled with them.
func TestRecordHeader(t *testing.T) {
	header := RecordHeader()
	for name, value := range map[string]string{
		"RECORD_MAGIC": "0x52435353", "RECORD_VERSION": "0x1", "RECORD_CAPACITY": "0x20", "RECORD_FIELDS": "0x8",
		"SCHEME_SLHDSA": "0x1", "SCHEME_SPHINCS_R3": "0x2", "SCHEME_HASH": "0x10",
		"SET_128S": "0x1", "SET_128F": "0x2", "SET_192S": "0x3", "SET_192F": "0x4", "SET_256S": "0x5", "SET_256F": "0x6",
		"OPERATION_KEYGEN": "0x1", "OPERATION_SIGN": "0x2", "OPERATION_VERIFY": "0x3", "OPERATION_HASH": "0x100",
		"FLAG_DETERMINISTIC": "0x1", "FLAG_INTERNAL": "0x2",
		"ROLE_SEED": "0x1", "ROLE_SECRET_KEY": "0x2", "ROLE_PUBLIC_KEY": "0x3", "ROLE_MESSAGE": "0x4",
		"ROLE_CONTEXT": "0x5", "ROLE_RANDOM": "0x6", "ROLE_SIGNATURE": "0x7", "ROLE_DIGEST": "0x8",
	} {
		if want := "#define SOCSIM_" + name + " " + value + "u "; strings.Count(header, want) != 1 {
			t.Errorf("%q is there %d times, want once", want, strings.Count(header, want))
		}
	}
	if !strings.HasPrefix(header, "/* Code generated ") {
		t.Error("no \"Code generated\" line at the top")
	}
}

// A C compiler, where there is one, sees the offsets that fakeRAM writes to.
func TestRecordHeaderCompiles(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("socsim_record.h", RecordHeader())
	write("check.c", `#include <stddef.h>
#include "socsim_record.h"
#define AT(type, member, offset) _Static_assert(offsetof(struct type, member) == (offset), #member)
AT(socsim_record, magic, 0);
AT(socsim_record, version, 4);
AT(socsim_record, count, 8);
AT(socsim_record, capacity, 12);
AT(socsim_record, entries[1], 16 + 128);
AT(socsim_record_entry, scheme, 0);
AT(socsim_record_entry, set, 4);
AT(socsim_record_entry, hash, 8);
AT(socsim_record_entry, operation, 12);
AT(socsim_record_entry, flags, 16);
AT(socsim_record_entry, result, 20);
AT(socsim_record_entry, n_fields, 24);
AT(socsim_record_entry, fields[2], 28 + 2*12);
AT(socsim_record_field, role, 0);
AT(socsim_record_field, pointer, 4);
AT(socsim_record_field, length, 8);
_Static_assert(sizeof(struct socsim_record) == 16 + 32*128, "record");
struct socsim_record socsim_record = {.magic = SOCSIM_RECORD_MAGIC};
`)
	cmd := exec.Command(cc, "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "check.c")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
