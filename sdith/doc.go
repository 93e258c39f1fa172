// Package sdith is the signature scheme SDitH version 2, the round-2 submission to
// [NIST's call] for additional signatures, with its six parameter sets: key generation,
// signing and verification, to the byte what the submission's known answers are. It
// mirrors SPEC, the project's own description of the scheme: what is a step of it names
// its section and keeps its letters. Where the submission's document and code differ,
// SPEC follows the code, because the known answers do.
//
// A signature is made in four steps, of one or more functions each:
//
//	expand   a tree of seeds, commitments to its leaves, a VOLE of them   sections 7, 8
//	respond  the consistency check                                        section 8
//	prove    lines, batched parity check, polynomials                     section 9
//	open     proof of work, the seeds that give all leaves but a few      section 10
//
// What a model of a circuit needs to take the same steps in its own order is exported:
// the block cipher and what is made of it ([Cipher]), the hash inputs ([Params.HashAux]
// and those beside it), the numbering of nodes and rows ([Params.LeafNode],
// [Params.BaseRow]), the challenge and what it reveals ([Params.Challenge], [Revealed]),
// and the layout of a signature ([Params.SignatureFields]).
//
// [Params.Over] puts another XOF in the place of SHAKE, which is no scheme of the submission.
//
// Verification is strict: it looks at every bit of a signature, also at the padding of
// the path, of which the submission's code looks at the first eighth.
//
// The package draws no random bytes: who generates a key or signs passes them. [DRBG] and
// [Params.KAT] give those of the known answers. Left out: protection of secrets. No
// side channel was looked at and nothing is erased.
//
// [NIST's call]: https://csrc.nist.gov/projects/pqc-dig-sig
package sdith
