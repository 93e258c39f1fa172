package slhdsa

import "fmt"

// Component says in words which n-byte element of a signature byte number at
// belongs to (FIPS 205, figures 12, 13 and 17), for messages about a signature
// that is not as it should be.
func (p Params) Component(at int) string {
	if at < 0 || at >= p.SignatureSize() {
		return "outside the signature"
	}
	i := at / p.N
	if i == 0 {
		return "R"
	}
	i--
	if perTree := 1 + p.A; i < p.K*perTree {
		t, j := i/perTree, i%perTree
		if j == 0 {
			return fmt.Sprintf("FORS tree %d, secret value", t)
		}
		return fmt.Sprintf("FORS tree %d, path node %d", t, j-1)
	}
	i -= p.K * (1 + p.A)
	layer, j := i/(p.len()+p.hPrime()), i%(p.len()+p.hPrime())
	if j < p.len() {
		return fmt.Sprintf("layer %d, chain %d", layer, j)
	}
	return fmt.Sprintf("layer %d, path node %d", layer, j-p.len())
}
