# Ways to end a run and things to count, one entry point each. The tests start
# the program at a label by the platform key "entry".
	.option norelax
	.equ	CLINT, 0x02000000
	.equ	UART, 0x10000000
	.equ	INFO, 0x10001000

	.macro	semihost		# a0 operation, a1 parameter; not compressed
	.option	push
	.option	norvc
	.balign	16			# all three in one page
	slli	x0, x0, 0x1f
	ebreak
	srai	x0, x0, 7
	.option	pop
	.endm

	.macro	exit_tohost code
	li	t0, \code << 1 | 1
	la	t1, tohost
	sw	t0, 0(t1)
9:	j	9b
	.endm

	.macro	entry name
	.globl	\name
	.type	\name, @function
	.balign	4
\name:
	.endm

	.macro	hash_open outlen
	li	s0, 0x11000000
	li	t0, 1
	sw	t0, 4(s0)
	sw	t0, 0(s0)
	li	t0, \outlen
	sw	t0, 8(s0)
	.endm

	.section .text.start, "ax"
entry _start
	la	sp, stack_top
	exit_tohost 0

	.text
entry semihosting			# prints, exits with 7
	li	a0, 4			# SYS_WRITE0
	la	a1, greeting
	semihost
	la	a1, exit_block
	li	t0, 7
	sw	t0, 4(a1)
	li	a0, 0x20		# SYS_EXIT_EXTENDED
	semihost
	exit_tohost 99

entry arguments				# prints its command line, exits with 0
	li	a0, 0x15		# SYS_GET_CMDLINE
	la	a1, line_block
	semihost
	li	a0, 4
	la	a1, line
	semihost
	li	a0, 0x18		# SYS_EXIT
	li	a1, 0x20026
	semihost

entry bad_pointer
	li	a0, 5			# SYS_WRITE
	li	a1, 0x10
	semihost

entry uart				# prints ok, ends by tohost
	li	t0, UART
	lbu	t1, 5(t0)
	li	t1, 'o'
	sb	t1, 0(t0)
	li	t1, 'k'
	sb	t1, 0(t0)
	exit_tohost 3

entry ecall_exit
	li	a0, 5
	li	a7, 93
	ecall

entry ecall_handled			# a program with a handler keeps its ecalls
	la	t0, handler
	csrw	mtvec, t0
	li	a7, 93
	ecall
	exit_tohost 99
	.balign	256
handler:
	exit_tohost 9

entry proxied				# a system call through tohost
	la	t0, tohost
	li	t1, 0x80001000
	sw	t1, 0(t0)
1:	j	1b

entry unmapped
	li	t0, 0x40000000
	sw	x0, 8(t0)
	exit_tohost 99

entry no_accelerator
	li	t0, 0x11000000
	lw	t1, 0x10(t0)
	exit_tohost 99

entry refused
	li	t0, INFO
	sw	x0, 4(t0)
	exit_tohost 99

entry bad_jump
	li	t0, 0x40
	jalr	t0

entry no_handler
	.word	0x00000000

entry self_loop
	j	self_loop

entry asleep
	wfi
	exit_tohost 99

entry spin				# ends only by a limit
1:	addi	t0, t0, 1
	j	1b

entry stopped_counters
	csrr	t0, mcycle
	exit_tohost 0

# Sleeps until the timer, in between some work with and without counters.
# Notes mtime and mcycle before and after in times.
entry timer
	la	t0, ticker
	csrw	mtvec, t0
	csrwi	mcountinhibit, 0
	li	s0, CLINT
	li	s1, 0xbff8
	add	s1, s1, s0		# mtime
	li	s2, 0x4000
	add	s2, s2, s0		# mtimecmp
	la	s3, times
	lw	t0, 0(s1)
	csrr	t1, mcycle
	sw	t0, 0(s3)
	sw	t1, 4(s3)
	lw	t0, 0(s1)
	addi	t0, t0, 1000
	sw	t0, 0(s2)
	sw	x0, 4(s2)
	li	t0, 0x80
	csrw	mie, t0
	csrsi	mstatus, 8
	wfi
	csrwi	mcountinhibit, 1
	li	t0, 50
1:	addi	t0, t0, -1
	bnez	t0, 1b
	csrwi	mcountinhibit, 0
	lw	t0, 0(s1)
	csrr	t1, mcycle
	sw	t0, 8(s3)
	sw	t1, 12(s3)
	exit_tohost 0
	.balign	256
ticker:
	li	t6, -1
	sw	t6, 4(s2)
	mret

# Three outermost calls of a recursive function, the last of which ends the run.
entry recursion
	la	sp, stack_top
	li	a0, 5
	call	down
	li	a0, 0
	call	down
	li	s0, 1
	li	a0, 3
	call	down
	exit_tohost 99

	.section .text.roi, "ax"
entry down
	beqz	a0, 1f
	addi	sp, sp, -16
	sw	ra, 12(sp)
	addi	a0, a0, -1
	call	down
	lw	ra, 12(sp)
	addi	sp, sp, 16
	ret
1:	bnez	s0, 2f
	ret
2:	exit_tohost 0

	.size	down, . - down

# odd and even call each other: an inner call of odd returns to the same place
# as the outermost one.
	.text
entry mutual
	la	sp, stack_top
	li	a0, 5
	call	even
	exit_tohost 0
entry even
	beqz	a0, 1f
	addi	sp, sp, -16
	sw	ra, 12(sp)
	addi	a0, a0, -1
	call	odd
	lw	ra, 12(sp)
	addi	sp, sp, 16
1:	ret
entry odd
	beqz	a0, 1f
	addi	sp, sp, -16
	sw	ra, 12(sp)
	addi	a0, a0, -1
	call	even
	lw	ra, 12(sp)
	addi	sp, sp, 16
1:	ret

# The place behind a call has run before the measured function is called there.
entry pointer
	la	s1, first
	li	s2, 2
1:	jalr	s1
	la	s1, second
	addi	s2, s2, -1
	bnez	s2, 1b
	exit_tohost 0
entry first
	ret
entry second
	nop
	nop
	ret

# A measured function that is fallen into behind an access whose answer is
# still to come, and that makes the next one at once.
entry fallen
	hash_open 4
	la	s1, times
	.rept	40
	nop
	.endr
	sw	x0, 0x20(s0)
entry inner
	lw	t0, 0x10(s0)
	sw	t0, 0(s1)
	.rept	40
	nop
	.endr
	sw	x0, 0xc(s0)
entry inner2
	lw	t0, 0x10(s0)
	sw	t0, 4(s1)
	.rept	40
	nop
	.endr
	lw	t0, 0x24(s0)
	exit_tohost 0

# mtime, a character, mtime again, back to back.
entry bridge
	li	s0, CLINT
	li	t0, 0xbff8
	add	s0, s0, t0
	li	s1, UART
	la	s2, times
	lw	t0, 0(s0)
	sb	x0, 0(s1)
	lw	t1, 0(s0)
	sw	t0, 0(s2)
	sw	t1, 4(s2)
	exit_tohost 0

# SHAKE256 of 136 bytes, 8 bytes out, through the accelerator.
	.text
entry hash
	la	sp, stack_top
	call	shake
	exit_tohost 0

	.section .text.roi, "ax"
entry shake
	li	s0, 0x11000000
	addi	sp, sp, -16
	sw	ra, 12(sp)
	call	open
	call	feed
	call	last
	call	poll
	la	a0, digest
	call	fetch
	lw	ra, 12(sp)
	addi	sp, sp, 16
	ret

	.section .text.hal.control, "ax"
entry open
	li	t0, 1
	sw	t0, 4(s0)		# MODE: SHAKE256
	sw	t0, 0(s0)		# INIT
	li	t0, 8
	sw	t0, 8(s0)		# OUTLEN
	ret
entry last
	sw	x0, 0xc(s0)
	ret
	.section .text.hal.movein, "ax"
entry feed
	li	t0, 34
	li	t1, 0x03020100
1:	sw	t1, 0x20(s0)
	addi	t0, t0, -1
	bnez	t0, 1b
	ret
	.section .text.hal.moveout, "ax"
entry fetch
	lw	t0, 0x24(s0)
	sw	t0, 0(a0)
	lw	t0, 0x24(s0)
	sw	t0, 4(a0)
	ret
	.section .text.hal.wait, "ax"
entry poll
	lw	t0, 0x10(s0)
	andi	t0, t0, 0x20		# OUT_VALID
	beqz	t0, poll
	ret

# One hand-booked example each for the three reasons a device withholds. The
# accelerator's FIFOs hold one word; everything else is compute.

	.text
entry held				# a full input FIFO, then output too early
	hash_open 4
	li	t0, 36
	.balign	4
1:	sw	x0, 0x20(s0)
	addi	t0, t0, -1
	bnez	t0, 1b
	sw	x0, 0xc(s0)
	lw	t0, 0x24(s0)
	exit_tohost 0

entry late				# output a cycle before the first word is there
	hash_open 4
	sw	x0, 0xc(s0)
	.rept	22
	nop
	.endr
	lw	t0, 0x24(s0)
	exit_tohost 0

entry probe				# copies the registers of the SoC-info device
	li	t0, INFO
	la	t1, probed
	li	t2, 6
1:	lw	t3, 0(t0)
	sw	t3, 0(t1)
	addi	t0, t0, 4
	addi	t1, t1, 4
	addi	t2, t2, -1
	bnez	t2, 1b
	exit_tohost 0

	.text
entry putchar				# HTIF: device 1, command 1, character A
	la	t0, tohost
	li	t1, 0x01010000
	sw	t1, 4(t0)
	li	t1, 65
	sw	t1, 0(t0)
	j	.

	.section .rodata, "a"
greeting:	.asciz	"hello\n"
line_block:	.word	line, 64

	.data
	.balign	8
	.globl	tohost
tohost:		.dword	0
exit_block:	.word	0x20026, 0

	.bss
	.balign	8
line:		.space	64
	.globl	times
	.type	times, @object
	.size	times, 16
times:		.space	16
	.globl	digest
	.type	digest, @object
	.size	digest, 8
digest:		.space	8
	.globl	probed
	.type	probed, @object
	.size	probed, 24
probed:		.space	24

	.section .noinit, "aw", @nobits
	.globl	left
left:		.space	16
