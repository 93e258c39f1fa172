/*
 * What the assembly of drivers has in common: functions in pieces.
 *
 * The ledger books every cycle by the linker section of the instruction, and
 * wants feeding, fetching and control told apart. Where they alternate every few
 * instructions, a function is cut into pieces, each in a section of its class,
 * and the linker puts the pieces of a function next to each other in the order they
 * are written in: execution falls from one into the next and measuring costs
 * nothing. Without compressed instructions there is no padding between them.
 */
#ifndef HAL_PIECES_H
#define HAL_PIECES_H

	.option	norelax
	.option	norvc

/* Goes on in the section of piece `order` of `function`, of ledger class `class`. */
.macro piece class, function, order
	.section .text.hal.\class\().\function\().\order, "ax", @progbits
	.balign	4
.endm

.macro function name
	.globl	\name
	.type	\name, @function
\name:
.endm

/* Registers from and to consecutive words in memory, the first at start(from). */
.macro load start, from, regs:vararg
	.set	offset, \start
	.irp	reg, \regs
	lw	\reg, offset(\from)
	.set	offset, offset + 4
	.endr
.endm

.macro store start, to, regs:vararg
	.set	offset, \start
	.irp	reg, \regs
	sw	\reg, offset(\to)
	.set	offset, offset + 4
	.endr
.endm

/* The same for the next piece of a function whose pieces are counted in `order`. */
.macro next_piece class, function
	.altmacro
	piece	\class, \function, %order
	.noaltmacro
	.set	order, order + 1
.endm

#endif
