/*
 * Transfers of driver "dma", with the two ways to wait for one: poll and wfi.
 */
#include "chains.h"
#include "socsim_regs.h"

	.option	norelax
	.option	norvc

#define CTRL	SOCSIM_DMA_CTRL
#define SRC	SOCSIM_DMA_SRC
#define DST	SOCSIM_DMA_DST
#define STATUS	SOCSIM_DMA_STATUS
#define IRQ	SOCSIM_DMA_IRQ

/* Wait for the transfer that runs. \temporary changes. */
.macro await_poll engine, temporary
1:	lw	\temporary, STATUS(\engine)
	andi	\temporary, \temporary, SOCSIM_DMA_STATUS_BUSY
	bnez	\temporary, 1b
.endm

/*
 * The interrupt is that of the transfer before until it is cleared, which is done here,
 * while the engine works. Should this transfer have ended by then, its own is lost,
 * but it is not BUSY any more. Asking mip takes no way over the bus.
 */
.macro await_wfi engine, temporary
	li	\temporary, SOCSIM_DMA_IRQ_DONE
	sw	\temporary, IRQ(\engine)
	lw	\temporary, STATUS(\engine)
	andi	\temporary, \temporary, SOCSIM_DMA_STATUS_BUSY
	beqz	\temporary, 2f
1:	wfi
	csrr	\temporary, mip
	slli	\temporary, \temporary, 31 - SOCSIM_DMA_LINE
	bgez	\temporary, 1b		/* woken by something else */
2:
.endm

/*
 * Functions by the way they wait; registers are set, and nothing runs.
 *
 * void dma_run_poll(uintptr_t engine, uint32_t ctrl) is one transfer.
 *
 * void dma_chain_poll(uintptr_t engine, uint32_t *out, const uint32_t *message,
 *                     uint32_t *copy, uint32_t *copied_hash, unsigned steps);
 * void dma_chains_poll(uintptr_t engine, uint32_t *out, uint32_t *secret, uint32_t *message,
 *                      uint32_t *hash, unsigned steps, unsigned count, size_t bytes);
 * are chain, of 2 steps or more, and chains of xof.h; hash is where the hash address of
 * message is, and bytes how many a value has. The first is the second with one chain
 * whose first step goes from message to copy, which gets the rest of it meanwhile.
 *
 * The engine writes a value where the next step's message has it. Between two steps
 * only the hash address is changed, as the engine may read all of the message until a
 * transfer ends; everything else is done while one runs, as registers it
 * has begun with may be written then.
 */
#define ENGINE		a0
#define RESULT		a1
#define SECRET		a2	/* in chain: message */
#define MESSAGE		a3	/* in chain: copy */
#define HASH_PLACE	a4
#define ALL_STEPS	a5	/* of a chain */
#define COUNT		a6	/* chains left */
#define BYTES		a7
#define WORK		t0
#define WHOLE		t1	/* for CTRL: a whole message */
#define LEFT		t2	/* steps left in this chain */
#define HASH		t3	/* hash address of the next step */
#define CHAIN		t4
#define FIRST_HASH	t5
#define SECRET_CHAIN_AT	t6

.macro add_one register		/* big endian, in the last byte of a word */
	lui	WORK, 0x1000
	add	\register, \register, WORK
.endm

/* Words of message to copy; HASH is then the last of them. */
.macro copy_pairs start, pairs
	.set	offset, \start
	.rept	\pairs
	lw	WORK, offset(SECRET)
	lw	HASH, offset + 4(SECRET)
	sw	WORK, offset(MESSAGE)
	sw	HASH, offset + 4(MESSAGE)
	.set	offset, offset + 8
	.endr
.endm

.macro transfers wait
	piece	control, dmarun\wait, 0
function dma_run_\wait
	sw	a1, CTRL(a0)
	piece	wait, dmarun\wait, 1
	await_\wait a0, a1
	ret

	.set	order, 0
	next_piece control, dmachains\wait
function dma_chain_\wait
	li	WHOLE, SOCSIM_DMA_CTRL_START | SOCSIM_DMA_CTRL_INIT | SOCSIM_DMA_CTRL_LAST
	sw	WHOLE, CTRL(ENGINE)
	sw	MESSAGE, SRC(ENGINE)
	copy_pairs 0, 6			/* n = 4 */
	addi	WORK, MESSAGE, 4 * 11
	beq	WORK, HASH_PLACE, 1f
	copy_pairs 8 * 6, 1		/* n = 6 */
	addi	WORK, MESSAGE, 4 * 13
	beq	WORK, HASH_PLACE, 1f
	copy_pairs 8 * 7, 1		/* n = 8 */
1:	add_one	HASH
	addi	LEFT, ALL_STEPS, -1
	li	COUNT, 1
	j	.Llook_\wait

function dma_chains_\wait
	li	WHOLE, SOCSIM_DMA_CTRL_START | SOCSIM_DMA_CTRL_INIT | SOCSIM_DMA_CTRL_LAST
	sw	WHOLE, CTRL(ENGINE)
	lw	FIRST_HASH, 0(HASH_PLACE)
	lw	CHAIN, -4(HASH_PLACE)
	sub	SECRET_CHAIN_AT, HASH_PLACE, MESSAGE
	add	SECRET_CHAIN_AT, SECRET_CHAIN_AT, SECRET
	j	.Lsecret_\wait

	/* Between two steps. */
	next_piece wait, dmachains\wait
.Lnext_\wait:
	await_\wait ENGINE, WORK
	next_piece control, dmachains\wait
	sw	HASH, 0(HASH_PLACE)
	sw	WHOLE, CTRL(ENGINE)
	add_one	HASH
	addi	LEFT, LEFT, -1
	beqz	LEFT, .Lend_\wait
.Llook_\wait:
	addi	WORK, LEFT, -1
	bnez	WORK, .Lnext_\wait
	sw	RESULT, DST(ENGINE)	/* of the last step, which is the next */
	j	.Lnext_\wait

	/* While the last step of a chain runs. */
.Lend_\wait:
	addi	COUNT, COUNT, -1
	beqz	COUNT, .Ldone_\wait
	add_one	CHAIN
	sw	CHAIN, -4(SECRET_CHAIN_AT)
	add	RESULT, RESULT, BYTES
	sw	SECRET, SRC(ENGINE)
	addi	WORK, HASH_PLACE, 4	/* the value */
	sw	WORK, DST(ENGINE)
	next_piece wait, dmachains\wait
	await_\wait ENGINE, WORK
	next_piece control, dmachains\wait
	sw	WHOLE, CTRL(ENGINE)

	/* While a secret is hashed. */
.Lsecret_\wait:
	sw	MESSAGE, SRC(ENGINE)
	sw	CHAIN, -4(HASH_PLACE)
	mv	HASH, FIRST_HASH
	mv	LEFT, ALL_STEPS
	j	.Llook_\wait

	next_piece wait, dmachains\wait
.Ldone_\wait:
	await_\wait ENGINE, WORK
	next_piece control, dmachains\wait
	sw	FIRST_HASH, 0(HASH_PLACE)
	ret
.endm

	transfers poll
	transfers wfi
