# Guests that use the SDitH coprocessor, well and badly, one entry point each. Key,
# entropy and message are put into the file by the tests. They know no ledger sections.
	.option norelax
	.option norvc
	.equ	SDITH, 0x14000000
	.equ	CTRL, 0x00
	.equ	LENGTH, 0x04
	.equ	STATUS, 0x10
	.equ	IRQ, 0x14
	.equ	IRQ_ENABLE, 0x18
	.equ	CYCLES, 0x40
	.equ	PHASE, 0x48
	.equ	LINE, 18

	.macro	entry name
	.globl	\name
	.type	\name, @function
	.balign	4
\name:
	li	s0, SDITH
	li	s1, SDITH + 0x1000	# KEY
	li	s2, SDITH + 0x2000	# ENTROPY
	li	s3, SDITH + 0x4000	# MESSAGE
	li	s4, SDITH + 0x10000	# SIGNATURE
	la	s5, seen
	.endm

	.macro	finish
	lw	t0, STATUS(s0)
	sw	t0, 0(s5)
	li	a0, 0
	li	a7, 93
	ecall
	.endm

	# \words words from \from to the address in \to
	.macro	copy to, from, words
	la	t0, \from
	mv	t1, \to
	li	t2, \words
8:	lw	t3, 0(t0)
	sw	t3, 0(t1)
	addi	t0, t0, 4
	addi	t1, t1, 4
	addi	t2, t2, -1
	bnez	t2, 8b
	.endm

	# all a signature needs
	.macro	fill
	copy	s1, key, 41
	copy	s2, entropy, 8
	copy	s3, message, 9
	li	t0, 33
	sw	t0, LENGTH(s0)
	.endm

	.macro	start
	li	t0, 1
	sw	t0, CTRL(s0)
	.endm

	.macro	await
9:	lw	t0, STATUS(s0)
	andi	t0, t0, 1
	bnez	t0, 9b
	.endm

	# the signature to memory
	.macro	take
	mv	t0, s4
	la	t1, signature
	li	t2, 1121
7:	lw	t3, 0(t0)
	sw	t3, 0(t1)
	addi	t0, t0, 4
	addi	t1, t1, 4
	addi	t2, t2, -1
	bnez	t2, 7b
	.endm

	.section .text.start, "ax"
	.globl	_start
_start:
	.text

entry well
	fill
	start
	await
	take
	finish

entry no_key			# refused, and the program says so
	copy	s2, entropy, 8
	start
	await
	finish

entry twice
	fill
	start
	start
	finish

entry early
	fill
	start
	lw	t0, 0(s4)
	finish

entry never
	lw	t0, 0(s4)
	finish

entry busy
	fill
	start
	lw	t0, 0(s2)		# the fault of a store would be the same one later
	finish

entry rewrite
	fill
	start
	sw	zero, 0(s1)
	finish

entry ends			# the last words there are
	fill
	sw	zero, 160(s1)
	li	t0, SDITH + 0x4ffc
	sw	zero, 0(t0)
	sw	zero, 28(s2)
	finish

entry behind_key
	sw	zero, 164(s1)
	finish

entry behind_entropy
	sw	zero, 32(s2)
	finish

entry behind_message
	li	t0, SDITH + 0x5000
	sw	zero, 0(t0)
	finish

entry behind_signature
	fill
	start
	await
	li	t0, SDITH + 0x10000 + 4484
	lw	t1, -4(t0)
	lw	t1, 0(t0)
	finish

entry last_word			# of the window: nothing is there
	li	t0, SDITH + 0xffffc
	lw	t0, 0(t0)
	finish

entry behind_window
	li	t0, SDITH + 0x100000
	lw	t0, 0(t0)
	finish

entry half
	lhu	t0, STATUS(s0)
	finish

entry byte
	sb	zero, 0(s3)
	finish

entry split			# two accesses
	lw	t0, STATUS + 2(s0)
	finish

entry lengths			# refused each time, and taken at last
	fill
	la	t5, lengths_tried
	la	t6, seen + 4
5:	lw	t0, 0(t5)
	sw	t0, LENGTH(s0)
	start
	await
	lw	t0, STATUS(s0)
	sw	t0, 0(t6)
	copy	s2, entropy, 8
	addi	t5, t5, 4
	addi	t6, t6, 4
	la	t0, lengths_end
	bne	t5, t0, 5b
	finish

entry sleep
	fill
	li	t0, 1
	sw	t0, IRQ_ENABLE(s0)
	li	t0, 1 << LINE
	csrw	mie, t0
	start
	wfi
	take
	finish

entry forever			# nothing is enabled at the device
	fill
	li	t0, 1 << LINE
	csrw	mie, t0
	start
	wfi
	finish

entry abandon
	fill
	li	t0, 1
	sw	t0, IRQ_ENABLE(s0)
	start
	li	t1, 1000
6:	addi	t1, t1, -1
	bnez	t1, 6b
	li	t0, 2			# RESET
	sw	t0, CTRL(s0)
	lw	t0, STATUS(s0)
	sw	t0, 4(s5)
	lw	t0, CYCLES(s0)
	sw	t0, 8(s5)
	fill
	start
	await
	take
	finish

entry counters			# the sum of the phases between two readings of CYCLES
	fill
	start
	li	t4, 0			# readings out of order
4:	lw	t1, CYCLES(s0)
	li	t2, 0
	.set	at, PHASE
	.rept	10
	lw	t3, at(s0)
	add	t2, t2, t3
	.set	at, at + 8
	.endr
	lw	t3, CYCLES(s0)
	bltu	t2, t1, 3f
	bgeu	t3, t2, 2f
3:	addi	t4, t4, 1
2:	lw	t0, STATUS(s0)
	andi	t0, t0, 1
	bnez	t0, 4b
	sw	t4, 4(s5)
	sw	t3, 8(s5)
	finish

	.data
	.balign	4
	.macro	object name, words
	.globl	\name
	.type	\name, @object
	.size	\name, 4 * \words
\name:
	.endm
object key, 41
	.fill	41, 4, 0
object entropy, 8
	.fill	8, 4, 0
object message, 9
	.fill	9, 4, 0
lengths_tried:
	.word	4097, 0xffffffff, 0x80000000, 0, 4096
lengths_end:
object seen, 8
	.fill	8, 4, 0xffffffff
object signature, 1121
	.fill	1121, 4, 0
