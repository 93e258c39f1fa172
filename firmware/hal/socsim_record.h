/* Code generated from firmware/record.go. DO NOT EDIT. */
#ifndef SOCSIM_RECORD_H
#define SOCSIM_RECORD_H

#include <stdint.h>

#define SOCSIM_RECORD_MAGIC 0x52435353u /* the bytes SSCR in memory */
#define SOCSIM_RECORD_VERSION 0x1u /* of this layout */
#define SOCSIM_RECORD_CAPACITY 0x20u /* entries there is room for */
#define SOCSIM_RECORD_CHECK 0x100u /* semihosting operation: check the record now */
#define SOCSIM_RECORD_FIELDS 0x8u /* fields there is room for in an entry */

#define SOCSIM_SCHEME_SLHDSA 0x1u /* SLH-DSA of FIPS 205 */
#define SOCSIM_SCHEME_SPHINCS_R3 0x2u /* SPHINCS+ round 3.1, simple */
#define SOCSIM_SCHEME_MLKEM 0x3u /* ML-KEM of FIPS 203 */
#define SOCSIM_SCHEME_KYBER_R3 0x4u /* Kyber round 3 */
#define SOCSIM_SCHEME_MLDSA 0x5u /* ML-DSA of FIPS 204 */
#define SOCSIM_SCHEME_DILITHIUM_R3 0x6u /* Dilithium round 3.1 */
#define SOCSIM_SCHEME_SDITH 0x9u /* SDitH version 2 */
#define SOCSIM_SCHEME_FALCON 0x7u /* Falcon round 3 */
#define SOCSIM_SCHEME_HASH 0x10u /* one hash */

#define SOCSIM_SET_128S 0x1u /* SLH-DSA-SHAKE-128s */
#define SOCSIM_SET_128F 0x2u /* SLH-DSA-SHAKE-128f */
#define SOCSIM_SET_192S 0x3u /* SLH-DSA-SHAKE-192s */
#define SOCSIM_SET_192F 0x4u /* SLH-DSA-SHAKE-192f */
#define SOCSIM_SET_256S 0x5u /* SLH-DSA-SHAKE-256s */
#define SOCSIM_SET_256F 0x6u /* SLH-DSA-SHAKE-256f */
#define SOCSIM_SET_MLKEM_512 0x1u /* ML-KEM-512 */
#define SOCSIM_SET_MLKEM_768 0x2u /* ML-KEM-768 */
#define SOCSIM_SET_MLKEM_1024 0x3u /* ML-KEM-1024 */
#define SOCSIM_SET_MLDSA_44 0x1u /* ML-DSA-44 */
#define SOCSIM_SET_MLDSA_65 0x2u /* ML-DSA-65 */
#define SOCSIM_SET_MLDSA_87 0x3u /* ML-DSA-87 */
#define SOCSIM_SET_SDITH_CAT1_FAST 0x1u /* SDitH cat1_fast */
#define SOCSIM_SET_SDITH_CAT1_SHORT 0x2u /* SDitH cat1_short */
#define SOCSIM_SET_SDITH_CAT3_FAST 0x3u /* SDitH cat3_fast */
#define SOCSIM_SET_SDITH_CAT3_SHORT 0x4u /* SDitH cat3_short */
#define SOCSIM_SET_SDITH_CAT5_FAST 0x5u /* SDitH cat5_fast */
#define SOCSIM_SET_SDITH_CAT5_SHORT 0x6u /* SDitH cat5_short */
#define SOCSIM_SET_FALCON_512 0x1u /* Falcon-512 */
#define SOCSIM_SET_FALCON_1024 0x2u /* Falcon-1024 */

#define SOCSIM_OPERATION_KEYGEN 0x1u /* seed -> secret key, public key */
#define SOCSIM_OPERATION_SIGN 0x2u /* secret key, message, context, random -> signature */
#define SOCSIM_OPERATION_VERIFY 0x3u /* public key, message, context, signature -> result */
#define SOCSIM_OPERATION_ENCAPS 0x4u /* public key, random -> ciphertext, shared secret */
#define SOCSIM_OPERATION_DECAPS 0x5u /* secret key, ciphertext -> shared secret */
#define SOCSIM_OPERATION_CHECK_PUBLIC_KEY 0x6u /* public key -> result */
#define SOCSIM_OPERATION_CHECK_SECRET_KEY 0x7u /* secret key -> result */
#define SOCSIM_OPERATION_HASH 0x100u /* plus the sponge's mode number: message -> digest */

#define SOCSIM_FLAG_DETERMINISTIC 0x1u /* sign: opt_rand is PK.seed; ML-DSA: rnd is zero */
#define SOCSIM_FLAG_INTERNAL 0x2u /* sign, verify: the message as it stands, no context before it */
#define SOCSIM_FLAG_EXTERNAL_MU 0x4u /* ML-DSA sign, verify: the message is its representative mu */
#define SOCSIM_FLAG_DEVICE 0x8u /* SDitH sign: the coprocessor's */
#define SOCSIM_FLAG_PADDED 0x10u /* Falcon sign: a padded signature */

#define SOCSIM_ROLE_SEED 0x1u /* seed */
#define SOCSIM_ROLE_SECRET_KEY 0x2u /* secret key */
#define SOCSIM_ROLE_PUBLIC_KEY 0x3u /* public key */
#define SOCSIM_ROLE_MESSAGE 0x4u /* message */
#define SOCSIM_ROLE_CONTEXT 0x5u /* context */
#define SOCSIM_ROLE_RANDOM 0x6u /* random */
#define SOCSIM_ROLE_SIGNATURE 0x7u /* signature */
#define SOCSIM_ROLE_DIGEST 0x8u /* digest */
#define SOCSIM_ROLE_CIPHERTEXT 0x9u /* ciphertext */
#define SOCSIM_ROLE_SHARED_SECRET 0xau /* shared secret */
#define SOCSIM_ROLE_SPLIT 0xbu /* cycles of load, compute and unload, 64 bits each */

struct socsim_record_field {
	uint32_t role; /* SOCSIM_ROLE_... */
	uint32_t pointer; /* address of the first byte, any if length is 0 */
	uint32_t length; /* bytes */
};

struct socsim_record_entry {
	uint32_t scheme; /* SOCSIM_SCHEME_... */
	uint32_t set; /* SOCSIM_SET_..., 0 for a hash */
	uint32_t hash; /* the hash under the scheme, SOCSIM_XOF_... of socsim_regs.h */
	uint32_t operation; /* SOCSIM_OPERATION_... */
	uint32_t flags; /* SOCSIM_FLAG_..., or-ed */
	uint32_t result; /* verify, checks: 1 accepted, 0 rejected; others: 0 done, else failed */
	uint32_t n_fields; /* fields in use */
	struct socsim_record_field fields[SOCSIM_RECORD_FIELDS];
	uint32_t reserved;
};

struct socsim_record {
	uint32_t magic; /* SOCSIM_RECORD_MAGIC */
	uint32_t version; /* SOCSIM_RECORD_VERSION */
	uint32_t count; /* entries in use */
	uint32_t capacity; /* SOCSIM_RECORD_CAPACITY */
	struct socsim_record_entry entries[SOCSIM_RECORD_CAPACITY];
};

_Static_assert(sizeof(struct socsim_record_entry) == 128, "an entry has 32 words");

extern struct socsim_record socsim_record;

#endif
