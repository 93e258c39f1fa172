package sdith

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"socsim/sdith/field"
)

// vectorFile is a file of intermediate values of known answer 0 (SPEC, section 13).
type vectorFile struct {
	Values    map[string]json.RawMessage   `json:"values_in_order"`
	Reference map[string]map[string]uint64 `json:"counts_reference_code"`
	Model     map[string]json.RawMessage   `json:"counts_model"`
	Phase12   struct {
		HCom            string `json:"h_com"`
		HPIOP           string `json:"h_piop"`
		PoWCounter      uint32 `json:"pow_counter"`
		SignatureSHA256 string `json:"signature_sha256"`
	} `json:"hcom_in_phase12_variant"`
}

func TestVectors(t *testing.T) {
	for _, p := range Sets {
		t.Run(p.Name, func(t *testing.T) {
			if testing.Short() && p.Kappa > 8 {
				t.Skip("a slow set")
			}
			text, err := os.ReadFile(shared(t, "vectors", p.Name+"_count0.json"))
			if err != nil {
				t.Fatal(err)
			}
			var file vectorFile
			if err := json.Unmarshal(text, &file); err != nil {
				t.Fatal(err)
			}
			switch p.Lambda {
			case 128:
				testVectors[field.GF128](t, p, &file)
			case 192:
				testVectors[field.GF192](t, p, &file)
			case 256:
				testVectors[field.GF256](t, p, &file)
			}
		})
	}
}

func testVectors[E field.Element[E]](t *testing.T, p *Params, file *vectorFile) {
	k, sk := katKey(t, p, 0)
	s := newSigning[E](sk, k.Msg, k.SignEntropy)
	counts := map[string]counts{}
	step := func(name string, f func()) {
		before := s.counts()
		f()
		counts[name] = s.counts().minus(before)
	}
	step("expand", s.expand)
	step("respond", s.respond)
	step("prove", s.prove)
	step("open", func() {
		if err := s.open(); err != nil {
			t.Fatal(err)
		}
	})

	values := map[string]any{}
	addKeyValues(values, k, sk)
	addExpandValues(values, s)
	addProofValues(values, s)
	if sk.PublicKey.Verify(k.Msg, s.signature().Bytes()) == nil {
		values["verify_ok"] = 1
	}
	for _, name := range slices.Sorted(maps.Keys(file.Values)) {
		got, ok := values[name]
		if !ok {
			t.Errorf("%s: nothing is compared with it", name)
			continue
		}
		if want := file.Values[name]; !sameValue(t, got, want) {
			t.Errorf("%s: got %x, want %s", name, got, want)
		}
	}

	checkCounts(t, s, counts, file)
	checkVerifyCounts(t, s, file)
	checkModel(t, s, counts, file)
	checkPhase12(t, s, file)
}

// sameValue says whether a value is what the file has: a number, numbers, bytes in
// hexadecimal, or the length, start and digest of bytes.
func sameValue(t *testing.T, got any, want json.RawMessage) bool {
	t.Helper()
	b, ok := got.([]byte)
	if !ok {
		text, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		return string(text) == strings.ReplaceAll(string(want), ", ", ",")
	}
	if want[0] == '"' {
		return string(want) == fmt.Sprintf("%q", hex.EncodeToString(b))
	}
	var digest struct {
		Bytes           int
		First32, SHA256 string
	}
	decoder := json.NewDecoder(bytes.NewReader(want))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&digest); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	return digest.Bytes == len(b) && digest.First32 == hex.EncodeToString(b[:32]) && digest.SHA256 == hex.EncodeToString(sum[:])
}

func addKeyValues(values map[string]any, k KAT, sk *SecretKey) {
	p := sk.p
	values["kat.seed"] = k.Seed[:]
	values["kat.drbg_call0_keygen"] = k.KeyEntropy
	values["kat.drbg_call1_sign"] = k.SignEntropy
	values["par.lambda"] = p.Lambda
	values["par.kappa"] = p.Kappa
	values["par.tau"] = p.Tau
	values["par.L"] = p.VOLEBits()
	values["par.num_inputs"] = p.WitnessBits()
	values["par.cchk_rows"] = p.CheckBits()
	values["par.cchk_cols"] = p.CheckedBits()
	values["par.rsd_codim"] = p.Codim
	values["par.block_size"] = p.BlockLength
	values["keygen.seed_pk"] = sk.seedPK
	values["keygen.seed_sk"] = sk.seedSK
	values["keygen.solution_positions"] = p.secretPositions(NewStream(p.NewCipher(), sk.seedSK))
	values["keygen.witness"] = sk.wit
	values["keygen.y"] = sk.y
	values["pk"] = sk.PublicKey.Bytes()
	values["sk"] = sk.Bytes()
	values["msg"] = k.Msg

	var rows, column []byte
	column = make([]byte, p.Codim/8)
	columns := NewStream(p.NewCipher(), sk.seedPK)
	for x := p.Codim; x < p.CodeLength(); x++ {
		p.Column(column, columns, x)
		if x == p.Codim {
			values["keygen.H_random_first_row"] = bytes.Clone(column)
		}
		rows = append(append(rows, column...), make([]byte, limbs*p.SeedSize()-len(column))...)
	}
	values["keygen.H_random_rows"] = rows
	values["keygen.H_random_last_row"] = column
}

func addExpandValues[E field.Element[E]](values map[string]any, s *signing[E]) {
	p := s.p
	values["sign.salt"] = s.salt
	values["sign.root_seed"] = s.root
	values["sign.h_com"] = s.vole.hCom
	values["sign.acc_all_repetitions"] = slices.Concat(s.vole.acc...)
	values["sign.acc_rep0_u"] = s.vole.acc[0]
	values["sign.base_bitrows"] = slices.Concat(s.vole.base...)
	values["sign.base_bitrow_rep0_bit0"] = s.vole.base[0]
	values["sign.base_bitrow_last"] = s.vole.base[len(s.vole.base)-1]
	for x := 2; x < 2*p.Leaves(); x++ {
		values[fmt.Sprintf("sign.node_seed[%d]", x)] = s.tree.seed(x)
	}
	c := p.NewCipher()
	for _, l := range []int{0, 1, 2, p.Tau, p.Leaves() - 2, p.Leaves() - 1} {
		node := p.Leaves() + l
		com, stream := make([]byte, p.HashSize()), make([]byte, p.VOLESize())
		s.tree.commit(c, com, node)
		NewStream(c, s.tree.seed(node)).Read(stream)
		values[fmt.Sprintf("sign.leaf_seed[%d]", l)] = s.tree.seed(node)
		values[fmt.Sprintf("sign.leaf_commit[%d]", l)] = com
		values[fmt.Sprintf("sign.leaf_stream[%d]", l)] = stream
	}
	values["sign.corrections"] = s.corr
	values["sign.u"] = s.u()
	values["sign.V_rows"] = field.Bytes(s.v...)
	values["sign.V_row0"] = s.v[0].Bytes()
	values["sign.V_row_last"] = s.v[len(s.v)-1].Bytes()
}

func addProofValues[E field.Element[E]](values map[string]any, s *signing[E]) {
	p := s.p
	values["sign.h_aux"] = s.hAux
	values["sign.M_matrix"] = s.m
	values["sign.M_row0"] = s.m[:p.CheckedBits()/8]
	values["sign.alpha_plain"] = s.aPlain
	values["sign.alpha_base"] = field.Bytes(s.aBase...)
	values["sign.alpha_base_row0"] = s.aBase[0].Bytes()
	values["sign.mask_poly_P0"] = field.Bytes(s.mask[:]...)
	values["sign.delta_wit"] = s.dwit
	values["sign.h_lines"] = s.hLines
	values["sign.gamma"] = field.Bytes(s.gamma...)
	values["sign.gamma_prime"] = field.Bytes(s.gammaPrime...)
	values["sign.gamma_prime0"] = s.gammaPrime[0].Bytes()
	values["sign.hgamma"] = field.Bytes(s.g...)
	values["sign.hgamma_first"] = s.g[0].Bytes()
	values["sign.hgamma_at_codim"] = s.g[p.Codim].Bytes()
	values["sign.hgamma_last"] = s.g[len(s.g)-1].Bytes()
	values["sign.ygamma"] = s.ybar.Bytes()
	block := func(b int) []byte {
		poly := s.a.proveBlock(b, s.g, s.gammaPrime[b], s.key.wit, s.v, make([]poly[E], p.BlockLength))
		return field.Bytes(poly[:]...)
	}
	values["sign.block0_poly"] = block(0)
	values["sign.block_last_poly"] = block(p.Weight - 1)
	values["sign.sum_poly"] = field.Bytes(s.sum[:]...)
	values["sign.alpha_coeffs"] = field.Bytes(s.alpha...)
	values["sign.h_piop"] = s.hPIOP
	values["sign.pow_counter"] = s.counter

	d := make([]byte, p.PoWSize())
	p.PoW(p.NewXOF(), d, s.hPIOP, s.counter)
	hidden := p.HiddenNodes(s.istar)
	values["sign.topen"] = len(Revealed(hidden)) // not T_open, but how many there are
	slices.Reverse(hidden)
	values["sign.pow_digest"] = d
	values["sign.hidden_node_indexes_sorted"] = hidden
	values["sign.delta1"] = p.delta1(s.istar)
	values["sign.sibling_path"] = s.path
	values["sign.sibling_path_first"] = s.path[:p.SeedSize()]
	values["sign.hidden_leaf_commits"] = s.hiddenCom
	sig := s.signature().Bytes()
	sum := sha256.Sum256(sig)
	values["signature_sha256"] = sum[:]
	values["signature_bytes"] = len(sig)
	values["signature"] = sig
}

// counts is what the units of a signing did.
type counts struct{ KeySchedules, Blocks, Permutations, Products uint64 }

func (s *signing[E]) counts() counts {
	return counts{s.c.KeySchedules, s.c.Blocks, s.x.Permutations(), *s.a.products}
}

func (c counts) minus(d counts) counts {
	return counts{c.KeySchedules - d.KeySchedules, c.Blocks - d.Blocks, c.Permutations - d.Permutations, c.Products - d.Products}
}

// checkCounts compares with the counters of the submission's code. It counts more than
// is compared here: XORs and additions, which are not calls of a unit in this package.
func checkCounts[E field.Element[E]](t *testing.T, s *signing[E], got map[string]counts, file *vectorFile) {
	ref := file.Reference
	R := uint64(s.p.Leaves())

	// The submission's code expands up to three nodes twice where leaves are on two depths.
	if again := ref["ggm_expand"]["key_schedules"] - (R - 1); again > 3 || again > 0 && R&(R-1) == 0 {
		t.Errorf("ggm_expand: %d key schedules for %d leaves", ref["ggm_expand"]["key_schedules"], R)
	}
	want := map[string]counts{
		// It also schedules the key of a leaf twice.
		"expand": {
			KeySchedules: R - 1 + ref["leaf_commit"]["key_schedules"],
			Blocks:       2*(R-1) + ref["leaf_commit"]["blocks"] + ref["vole_prg"]["blocks"],
			Permutations: ref["hcom_hash"]["keccak_f"],
		},
		"respond": {Permutations: ref["corr_haux"]["keccak_f"] + ref["consistency_matrix"]["keccak_f"]},
		"prove": {
			KeySchedules: ref["H_times_gamma"]["key_schedules"],
			Blocks:       ref["H_times_gamma"]["blocks"],
			Permutations: ref["lines"]["keccak_f"] + ref["batch_challenge"]["keccak_f"] + ref["checkzero_hpiop"]["keccak_f"],
			// The submission multiplies by powers of z, too, here and in H_times_gamma: 28
			// products a block are 6 here.
			Products: ref["mux"]["gf_mul"] - 22*uint64(s.p.Weight),
		},
		// It makes the path anew; here the tree was kept.
		"open": {
			KeySchedules: ref["open_leaf_commit"]["key_schedules"],
			Blocks:       ref["open_leaf_commit"]["blocks"],
			Permutations: ref["pow"]["keccak_f"],
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counts (-submission +got):\n%s", diff)
	}
}

// checkVerifyCounts does the same for verification.
func checkVerifyCounts[E field.Element[E]](t *testing.T, s *signing[E], file *vectorFile) {
	p, c, x := s.p, s.p.NewCipher(), s.p.NewXOF()
	sig := s.signature()
	istar, err := sig.challenge(x)
	if err != nil {
		t.Fatal(err)
	}
	leaves := sig.reopen(c, x, istar)
	leaves.correct(istar, sig.Correction)
	if err := verifyLines[E](&s.key.PublicKey, s.msg, sig, c, x, istar, leaves); err != nil {
		t.Fatal(err)
	}
	ref := file.Reference["verify"]
	want := counts{
		KeySchedules: ref["key_schedules"] - uint64(p.Leaves()-p.Tau), // those of leaves, done twice there
		Blocks:       ref["blocks"],
		Permutations: ref["keccak_f"],
	}
	if p == Cat1Short { // one of the nodes that are expanded twice there
		want.KeySchedules--
		want.Blocks -= 2
	}
	if diff := cmp.Diff(want, counts{c.KeySchedules, c.Blocks, x.Permutations(), 0}); diff != "" {
		t.Errorf("counts of verification (-submission +got):\n%s", diff)
	}
}

// checkModel compares with the model's counts what this package does or has the sizes
// of. The others are of a hardware pipeline, which does things in another order.
func checkModel[E field.Element[E]](t *testing.T, s *signing[E], got map[string]counts, file *vectorFile) {
	p := s.p
	x := p.NewXOF()
	permutations := func(f func()) uint64 {
		before := x.Permutations()
		f()
		return x.Permutations() - before
	}
	number := func(name string) (n uint64) {
		if err := json.Unmarshal(file.Model[name], &n); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return n
	}
	listSizes := []int{p.BlockLength}
	for j, mu := range p.Mu {
		listSizes = append(listSizes, (listSizes[j]+mu-1)/mu)
	}
	streamBlocks := (p.VOLESize() + p.BlockSize() - 1) / p.BlockSize()
	inner := 0
	for _, hidden := range p.hiddenAncestors(p.HiddenNodes(s.istar))[:p.Leaves()] {
		if hidden {
			inner++
		}
	}
	model := map[string]any{
		"R_leaves":                 p.Leaves(),
		"stream_blocks_per_leaf":   streamBlocks,
		"W_stream_blocks":          p.Leaves() * streamBlocks,
		"W_leaf_key_schedules":     p.Leaves(),
		"G_keccak_f":               got["expand"].Permutations,
		"haux_keccak_f":            permutations(func() { p.HashAux(x, s.vole.hCom, s.corr) }),
		"M_keccak_f":               permutations(func() { p.ExpandM(x, s.hAux) }),
		"M_bits":                   8 * len(s.m),
		"hlines_keccak_f":          permutations(func() { p.HashLines(x, s.hAux, s.aPlain, field.Bytes(s.aBase...), s.dwit) }),
		"gammas_keccak_f":          permutations(func() { p.ExpandGammas(x, s.hLines) }),
		"hpiop_keccak_f":           permutations(func() { p.HashPIOP(x, s.key.seedPK, s.hLines, field.Bytes(s.alpha...), s.msg) }),
		"H_blocks":                 got["prove"].Blocks,
		"g_mult_by_z":              p.Codim - limbs,
		"mux_list_sizes":           listSizes,
		"mux_full_mults":           got["prove"].Products - number("unitary_full_mults_structured"),
		"pow_keccak_f":             got["open"].Permutations,
		"open_revealed":            len(Revealed(p.HiddenNodes(s.istar))),
		"open_commit_blocks":       got["open"].Blocks,
		"open_pairs_min_from_root": inner,
		"mem_V_bits":               p.Kappa * p.Tau * p.VOLEBits(),
		"mem_witness_lines_bits":   p.Kappa * p.Tau * p.WitnessBits(),
		"mem_base_rows_bits":       p.Kappa * p.VOLEBits(),
	}
	for name, got := range model {
		want := strings.Join(strings.Fields(string(file.Model[name])), "")
		if text, err := json.Marshal(got); err != nil || string(text) != want {
			t.Errorf("%s: got %s, want %s, %v", name, text, want, err)
		}
	}
	for name := range file.Model {
		if _, ok := model[name]; !ok && !slices.Contains(pipelineCounts, name) {
			t.Errorf("%s: nothing is compared with it", name)
		}
	}
}

var pipelineCounts = []string{
	"cache_depth", "K_pairs", "G_expand_pairs", "G_commit_pairs", "W_path_blocks_F0", "W_path_blocks_F1", "W_path_steps_F2",
	"W_cache_reads_with_path_register", "W_acc_base_traffic_bits", "g_full_mults", "g_adds", "mux_bit_ands",
	"unitary_full_mults_schoolbook", "unitary_full_mults_structured", "piop_adds_reference", "open_revealed_at_or_above_cache",
	"open_path_blocks_separate", "open_hidden_path_blocks", "open_pairs_min_from_cache", "mem_cache_bits",
}

// checkPhase12 compares with what comes out when the commitments are hashed repetition
// by repetition, as in the submission's document (SPEC, section 7).
func checkPhase12[E field.Element[E]](t *testing.T, s *signing[E], file *vectorFile) {
	p := s.p
	v := newSigning[E](s.key, s.msg, slices.Concat(s.salt, s.root))
	v.tree, v.vole, v.corr, v.v = s.tree, s.vole, s.corr, s.v
	p.BeginCom(v.x)
	com := make([]byte, p.HashSize())
	for e := range p.Tau {
		for i := range p.Positions() {
			v.tree.commit(v.c, com, p.LeafNode(e, i))
			v.x.Absorb(com)
		}
	}
	v.vole.hCom = p.EndCom(v.x)
	v.respond()
	v.prove()
	if err := v.open(); err != nil {
		t.Fatal(err)
	}
	got := file.Phase12
	got.HCom, got.HPIOP, got.PoWCounter = hex.EncodeToString(v.vole.hCom), hex.EncodeToString(v.hPIOP), v.counter
	sum := sha256.Sum256(v.signature().Bytes())
	got.SignatureSHA256 = hex.EncodeToString(sum[:])
	if diff := cmp.Diff(file.Phase12, got); diff != "" {
		t.Errorf("commitments hashed repetition by repetition (-want +got):\n%s", diff)
	}
}
