package mlkem

import "fmt"

// EncapsulationKeyPart says in words what byte number at of an encapsulation key
// belongs to, for messages about a key that is not as it should be.
func (p Params) EncapsulationKeyPart(at int) string {
	switch i := at / polySize12; {
	case at < 0 || at >= p.EncapsulationKeySize():
		return "outside the encapsulation key"
	case i < p.K:
		return fmt.Sprintf("t̂[%d]", i)
	}
	return "ρ"
}

// DecapsulationKeyPart is the same for a decapsulation key.
func (p Params) DecapsulationKeyPart(at int) string {
	pke, end := polySize12*p.K, p.DecapsulationKeySize()
	switch {
	case at < 0 || at >= end:
		return "outside the decapsulation key"
	case at < pke:
		return fmt.Sprintf("ŝ[%d]", at/polySize12)
	case at < end-2*hashSize:
		return "ek, " + p.EncapsulationKeyPart(at-pke)
	case at < end-hashSize:
		return "H(ek)"
	}
	return "z"
}

// CiphertextPart is the same for a ciphertext.
func (p Params) CiphertextPart(at int) string {
	switch i := at / (n / 8 * p.Du); {
	case at < 0 || at >= p.CiphertextSize():
		return "outside the ciphertext"
	case i < p.K:
		return fmt.Sprintf("u[%d]", i)
	}
	return "v"
}
