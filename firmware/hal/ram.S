/*
 * The inner loops of driver "ram": words to the accelerator and back, and waiting.
 */
#include "chains.h"
#include "socsim_regs.h"

#define CTRL	SOCSIM_HASH_RAM_CTRL
#define STATUS	SOCSIM_HASH_RAM_STATUS
#define IRQ	SOCSIM_HASH_RAM_IRQ
#define STATE	SOCSIM_HASH_RAM_STATE

/* Pairs of words in a row: the whole state, for mode copy. */
#define PAIRS	(SOCSIM_HASH_RAM_STATE_WORDS / 2)
#define ROW	(8 * PAIRS)

/*
 * Moves words, at most a row, from consecutive addresses at \from to others at \to,
 * pair by pair: both loads, then both stores, so that no store waits for its load. The
 * row is entered so that \words / 2 pairs are left of it, with both addresses moved
 * back by the others. Afterwards \to is ROW below the end of what was stored; \from,
 * \words, t0 to t3 change.
 */
.macro move to, from, words
	andi	t0, \words, 1
	bnez	t0, 2f
1:	slli	t2, \words, 2		/* bytes */
	addi	t3, t2, -ROW
	add	\to, \to, t3
	add	\from, \from, t3
	lla	t3, 3f
	slli	t2, t2, 1		/* four instructions a pair */
	sub	t3, t3, t2
	jr	t3
2:	lw	t0, 0(\from)
	addi	\from, \from, 4
	addi	\words, \words, -1
	sw	t0, 0(\to)
	addi	\to, \to, 4
	j	1b
	.set	offset, 0
	.rept	PAIRS
	lw	t0, offset(\from)
	lw	t1, offset + 4(\from)
	sw	t0, offset(\to)
	sw	t1, offset + 4(\to)
	.set	offset, offset + 8
	.endr
3:
.endm

/*
 * Waits until the permutation has ended: asks STATUS again and again, or, if \sleep
 * is not 0, sleeps until the interrupt and clears it. \temporary changes.
 */
.macro wait base, sleep, temporary=t0
	beqz	\sleep, 2f
1:	wfi
	lw	\temporary, IRQ(\base)
	beqz	\temporary, 1b			/* woken by something else */
	sw	\temporary, IRQ(\base)
	j	3f
2:	lw	\temporary, STATUS(\base)
	andi	\temporary, \temporary, SOCSIM_HASH_RAM_STATUS_BUSY
	bnez	\temporary, 2b
3:
.endm

/* void ram_put(uintptr_t to, const void *in, size_t words); in may have any alignment. */
	piece	movein, ramput, 0
function ram_put
	move	a0, a1, a2
	ret

/* void ram_mix(uint32_t *to, const void *in, size_t words) XORs, at least one word. */
function ram_mix
	slli	a2, a2, 2
	add	a2, a2, a1
1:	lw	t0, 0(a1)
	lw	t1, 0(a0)
	addi	a1, a1, 4
	addi	a0, a0, 4
	xor	t0, t0, t1
	sw	t0, -4(a0)
	bne	a1, a2, 1b
	ret

/* void ram_get(void *out, uintptr_t from, size_t words); */
	piece	moveout, ramget, 0
function ram_get
	move	a0, a1, a2
	ret

/* void ram_wait(uintptr_t base, bool sleep); */
	piece	wait, ramwait, 0
function ram_wait
	wait	a0, a1
	ret

/*
 * void ram_keccak(uintptr_t base, uint32_t *out, size_t out_words, const uint32_t *in,
 *                 size_t in_words, uint32_t suffix, uintptr_t last, bool sleep);
 * is a whole message of one block each way in mode block; last is the offset of the
 * block's last word.
 */
	piece	control, ramkeccak, 0
function ram_keccak
	li	t0, SOCSIM_HASH_RAM_CTRL_INIT
	sw	t0, CTRL(a0)
	piece	movein, ramkeccak, 1
	addi	t4, a0, STATE
	move	t4, a3, a4
	add	a6, a6, a0
	sw	a5, ROW(t4)
	lui	t0, 0x80000		/* the last bit of the block */
	sw	t0, STATE(a6)
	piece	control, ramkeccak, 2
	li	t0, SOCSIM_HASH_RAM_CTRL_START
	sw	t0, CTRL(a0)
	piece	wait, ramkeccak, 3
	wait	a0, a7
	piece	moveout, ramkeccak, 4
	addi	a0, a0, STATE
	move	a1, a0, a2
	ret

/*
 * void ram_ascon(uintptr_t base, uint32_t *out, size_t out_words, const uint32_t *in,
 *                size_t in_words, uint32_t suffix, uint32_t between, bool sleep);
 * is a whole message of whole blocks in mode block, at least one each way; between is
 * what CTRL takes for a permutation between blocks.
 */
	piece	control, ramascon, 0
function ram_ascon
	li	t0, SOCSIM_HASH_RAM_CTRL_INIT
	sw	t0, CTRL(a0)
	piece	movein, ramascon, 1
	lw	t1, 0(a3)
	lw	t2, 4(a3)
.Lblock:
	sw	t1, STATE(a0)
	sw	t2, STATE + 4(a0)
	piece	control, ramascon, 2
	sw	a6, CTRL(a0)
	addi	a3, a3, 8
	addi	a4, a4, -2
	piece	movein, ramascon, 3	/* while the accelerator permutes */
	beqz	a4, 1f
	lw	t1, 0(a3)
	lw	t2, 4(a3)
1:
	piece	wait, ramascon, 4
	wait	a0, a7
	piece	movein, ramascon, 5
	bnez	a4, .Lblock
	sw	a5, STATE(a0)
	piece	control, ramascon, 6
	li	t0, SOCSIM_HASH_RAM_CTRL_START
	sw	t0, CTRL(a0)
	piece	wait, ramascon, 7
	wait	a0, a7
	piece	moveout, ramascon, 8
.Loutput:
	lw	t0, STATE(a0)
	lw	t1, STATE + 4(a0)
	addi	a1, a1, 8
	addi	a2, a2, -2
	sw	t0, -8(a1)
	sw	t1, -4(a1)
	bnez	a2, .Lmore
	ret
	piece	control, ramascon, 9
.Lmore:
	sw	a6, CTRL(a0)
	piece	wait, ramascon, 10
	wait	a0, a7
	j	.Loutput

/*
 * ram_chain4, ram_chains4 and so on, see chains.h: over Keccak, in mode block. n is
 * at most 8, so a message is one block, and its padding is that of SHAKE256. The
 * register of the value's last word is free from when that was stored until it is loaded.
 */
#define LAST_WORD	33

.macro enter sleep
	sw	\sleep, SLEEP_AT
.endm

.macro begin base, one
	sw	\one, CTRL(\base)
	.set	place, STATE
.endm

.macro push base, regs:vararg
	.irp	reg, \regs
	sw	\reg, place(\base)
	.set	place, place + 4
	.endr
.endm

.macro finish function, n, base, temporary
	li	\temporary, 0x1f
	sw	\temporary, place(\base)
	lui	\temporary, 0x80000
	sw	\temporary, STATE + 4 * LAST_WORD(\base)
	next_piece control, \function
	li	\temporary, SOCSIM_HASH_RAM_CTRL_START
	sw	\temporary, CTRL(\base)
.endm

.macro fetched temporary
	lw	\temporary, SLEEP_AT
.endm

.macro await function, base, temporary, label, there
	next_piece wait, \function
	.ifnb	\label
\label:
	.endif
	.ifb	\there
	fetched	\temporary
	.endif
	wait	\base, \temporary, \temporary
	next_piece moveout, \function
.endm

.macro pop base, regs:vararg
	.set	place, STATE
	.irp	reg, \regs
	lw	\reg, place(\base)
	.set	place, place + 4
	.endr
.endm

	all_chains ram, ram
