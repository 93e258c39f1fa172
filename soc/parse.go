package soc

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"socsim/internal/nearest"
)

// ParseResult reads what Result.JSON wrote. It is strict: a field that is
// missing, unknown or of the wrong type is an error that names the field, as
// regions[0].ledger.wait, and so are values that contradict each other, as rows of
// a ledger that do not add up. What has no JSON form (Findings, Hints) stays empty.
func ParseResult(text []byte) (*Result, error) {
	if !json.Valid(text) {
		return nil, syntaxError(text)
	}
	r := &Result{}
	if err := decode(text, reflect.ValueOf(r).Elem(), ""); err != nil {
		var made struct {
			By string `json:"model_version"`
		}
		if json.Unmarshal(text, &made) == nil && made.By != "" && made.By != ModelVersion {
			err = fmt.Errorf("%w (the file is of model version %s, this is %s)", err, made.By, ModelVersion)
		}
		return nil, err
	}
	if !slices.Contains(reasons, r.Exit.Reason) {
		return nil, fmt.Errorf("exit.reason: %q is no reason", r.Exit.Reason)
	}
	if digest, err := hex.DecodeString(r.ELFSHA256); err != nil || len(digest) != sha256.Size {
		return nil, fmt.Errorf("elf_sha256: %q is no SHA-256 digest in hexadecimal", r.ELFSHA256)
	}
	if err := r.consistent(); err != nil {
		return nil, err
	}
	return r, nil
}

// syntaxError says where a text stops being JSON.
func syntaxError(text []byte) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return fmt.Errorf("it is empty")
	}
	var v any
	err := json.Unmarshal(text, &v)
	if e, ok := err.(*json.SyntaxError); ok {
		line := 1 + bytes.Count(text[:min(int(e.Offset), len(text))], []byte("\n"))
		return fmt.Errorf("line %d is no JSON: %w", line, err)
	}
	return fmt.Errorf("it is no JSON: %w", err)
}

// reasons are all there are.
var reasons = []Reason{
	ToHost, Semihosting, Ecall, MaxInstructions, MaxCycles, Timeout, SelfLoop, AsleepForever, Unmapped, DeviceError, FetchError,
}

var rawMessage = reflect.TypeFor[json.RawMessage]()

// decode sets v to a valid JSON text. encoding/json would ignore the case of
// names, take null for zero, and let fields be missing.
func decode(text []byte, v reflect.Value, path string) error {
	null := string(bytes.TrimSpace(text)) == "null"
	t := v.Type()
	switch {
	case t == rawMessage:
		if !null {
			v.SetBytes(slices.Clone(text))
		}
		return nil
	case t.Kind() == reflect.Pointer:
		if null {
			return nil
		}
		v.Set(reflect.New(t.Elem()))
		return decode(text, v.Elem(), path)
	case null:
		return fmt.Errorf("%s must not be null", named(path))
	}
	switch t.Kind() {
	case reflect.Struct:
		return decodeObject(text, v, path)
	case reflect.Slice:
		var list []json.RawMessage
		if json.Unmarshal(text, &list) != nil {
			return fmt.Errorf("%s must be an array", named(path))
		}
		v.Set(reflect.MakeSlice(t, len(list), len(list)))
		for i, e := range list {
			if err := decode(e, v.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
		return nil
	case reflect.Map:
		var m map[string]json.RawMessage
		if json.Unmarshal(text, &m) != nil {
			return fmt.Errorf("%s must be an object", named(path))
		}
		v.Set(reflect.MakeMap(t))
		for _, key := range slices.Sorted(maps.Keys(m)) {
			e := reflect.New(t.Elem()).Elem()
			if err := decode(m[key], e, dotted(path, key)); err != nil {
				return err
			}
			v.SetMapIndex(reflect.ValueOf(key), e)
		}
		return nil
	}
	if err := json.Unmarshal(text, v.Addr().Interface()); err != nil {
		return fmt.Errorf("%s: %s is not a value of this field, which is %s", named(path), text, kindText(t.Kind()))
	}
	return nil
}

func decodeObject(text []byte, v reflect.Value, path string) error {
	var m map[string]json.RawMessage
	if json.Unmarshal(text, &m) != nil {
		return fmt.Errorf("%s must be an object", named(path))
	}
	type field struct {
		name     string
		optional bool
		value    reflect.Value
	}
	var fields []field
	var names []string
	for i := range v.NumField() {
		name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if name != "-" {
			fields = append(fields, field{name, options == "omitempty", v.Field(i)})
			names = append(names, name)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if !slices.Contains(names, key) {
			return fmt.Errorf("%s: a result has no such field%s", dotted(path, key), nearest.Hint(key, names))
		}
	}
	for _, f := range fields {
		e, ok := m[f.name]
		if !ok {
			if f.optional {
				continue
			}
			return fmt.Errorf("%s is missing", dotted(path, f.name))
		}
		if err := decode(e, f.value, dotted(path, f.name)); err != nil {
			return err
		}
	}
	return nil
}

func dotted(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// named names a field in a message.
func named(path string) string {
	if path == "" {
		return "a result"
	}
	return path
}

func kindText(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	case reflect.Int:
		return "a whole number"
	}
	return "a whole number from 0"
}
