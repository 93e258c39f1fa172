package platform

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"socsim/internal/nearest"
)

// Set replaces one value, as --set key=value does. Keys are those of the
// file, dotted; a device goes by its name: ram.size, device.uart.bus.
// Numbers may be decimal, 0x hexadecimal, with underscores, and end in KiB or
// MiB. Call Validate when all are set.
func (p *Platform) Set(key, value string) error {
	field, ok := p.field(key)
	if !ok {
		return fmt.Errorf("%s has no key %s%s", p.source, key, nearest.Hint(key, p.Keys()))
	}
	if err := assign(field, value); err != nil {
		return fmt.Errorf("%s=%s: %w", key, value, err)
	}
	if key == "clock_hz" {
		p.ClockAssumed = false
	}
	p.Overrides = append(p.Overrides, key+"="+value)
	return nil
}

// Clone returns a copy that can be changed by Set without touching p.
func (p *Platform) Clone() *Platform {
	c := *p
	c.Devices = slices.Clone(p.Devices)
	c.Overrides = slices.Clone(p.Overrides)
	return &c
}

// Keys returns every key that Set takes, in the order of the file.
func (p *Platform) Keys() []string {
	var keys []string
	walk(reflect.ValueOf(p).Elem(), "", func(key string, _ reflect.Value) { keys = append(keys, key) })
	return keys
}

func (p *Platform) field(key string) (found reflect.Value, ok bool) {
	walk(reflect.ValueOf(p).Elem(), "", func(k string, v reflect.Value) {
		if k == key && !ok {
			found, ok = v, true
		}
	})
	return found, ok
}

// walk visits the scalar fields that have a key. Devices go by name.
func walk(v reflect.Value, prefix string, visit func(key string, v reflect.Value)) {
	for i := range v.NumField() {
		field, tag := v.Field(i), v.Type().Field(i).Tag.Get("toml")
		switch {
		case tag == "" || tag == "-":
		case field.Kind() == reflect.Struct:
			walk(field, prefix+tag+".", visit)
		case field.Kind() == reflect.Slice:
			for j := range field.Len() {
				walk(field.Index(j), prefix+tag+"."+field.Index(j).FieldByName("Name").String()+".", visit)
			}
		default:
			visit(prefix+tag, field)
		}
	}
}

// fileKeys returns the keys of a file, where devices have no names.
func fileKeys() []string {
	p := Platform{Devices: make([]Device, 1)}
	keys := p.Keys()
	for i, k := range keys {
		keys[i] = strings.Replace(k, "..", ".", 1)
	}
	return keys
}

func assign(v reflect.Value, text string) error {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Uint32, reflect.Uint64:
		n, err := number(text, v.Type().Bits())
		if err != nil {
			return err
		}
		v.SetUint(n)
	default:
		panic("BUG: platform: a field of kind " + v.Kind().String())
	}
	return nil
}

func number(text string, bits int) (uint64, error) {
	digits, unit := text, uint64(1)
	for suffix, u := range map[string]uint64{"KiB": 1 << 10, "MiB": 1 << 20} {
		if d, ok := strings.CutSuffix(text, suffix); ok {
			digits, unit = strings.TrimSpace(d), u
		}
	}
	n, err := strconv.ParseUint(digits, 0, 64)
	if e, ok := err.(*strconv.NumError); ok && e.Err == strconv.ErrSyntax {
		return 0, fmt.Errorf("must be a number")
	}
	if err != nil || n > (1<<bits-1)/unit {
		return 0, fmt.Errorf("does not fit in %d bits", bits)
	}
	return n * unit, nil
}
