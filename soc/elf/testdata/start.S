# Entry and an untyped label, as hand-written assembly has them.
	.section .text.start, "ax"
	.globl _start
_start:	la	sp, stack_top
	call	start
park:	j	park
	.section .bss
	.balign	16
	.space	64
stack_top:
