/* A bytecode machine in one switch: sorts, and hashes what it sorted. */
#include "workload.h"

enum op { PUSH, ADD, XOR, SHIFT, LOAD, STORE, GET, SET, LESS, JUMP, IF, DUP, DROP, MIX, END };

/*
 * for i = 1 .. 31: for j = i; j > 0 && a[j] < a[j-1]; j--: exchange.
 * Variables: 0 i, 1 j, 2 x. Jumps are to absolute places.
 */
static const uint8_t program[] = {
	/*  0 */ PUSH, 1, SET, 0,
	/*  4 */ GET, 0, PUSH, 32, LESS, IF, 12, JUMP, /* 12: body; else behind the next byte */
	/* 12 */ 62,
	/* 13 */ GET, 0, SET, 1,
	/* 17 */ PUSH, 0, GET, 1, LESS, IF, 26, JUMP,
	/* 25 */ 53,
	/* 26 */ GET, 1, LOAD, GET, 1, PUSH, 255, ADD, LOAD, LESS, IF, 38, JUMP, /* 255 is -1 */
	/* 39 */ 53,
	/* 40 */ GET, 1, LOAD, MIX, DROP, END, END, END, END, END, END, END, END,
	/* 53 */ GET, 0, PUSH, 1, ADD, SET, 0, JUMP, 4,
	/* 62 */ END,
};

static uint32_t memory[32], variable[4];

static uint32_t execute(const uint8_t *code, uint32_t size, uint32_t steps, uint32_t seed)
{
	static uint32_t stack[16];
	uint32_t sum = seed, sp = 0, pc = 0;

	while (steps-- > 0) {
		uint32_t a, b;

		if (pc >= size)
			pc = 0;
		switch (code[pc++]) {
		case PUSH:
			stack[sp++ & 15] = code[pc++ % size];
			break;
		case ADD:
			a = stack[--sp & 15], b = stack[--sp & 15];
			stack[sp++ & 15] = a + b;
			break;
		case XOR:
			a = stack[--sp & 15], b = stack[--sp & 15];
			stack[sp++ & 15] = a ^ b;
			break;
		case SHIFT:
			a = stack[--sp & 15];
			stack[sp++ & 15] = a << 7 | a >> 25;
			break;
		case LOAD:
			a = stack[--sp & 15];
			stack[sp++ & 15] = memory[a & 31];
			break;
		case STORE:
			a = stack[--sp & 15], b = stack[--sp & 15];
			memory[a & 31] = b;
			break;
		case GET:
			stack[sp++ & 15] = variable[code[pc++ % size] & 3];
			break;
		case SET:
			variable[code[pc++ % size] & 3] = stack[--sp & 15];
			break;
		case LESS:
			a = stack[--sp & 15], b = stack[--sp & 15];
			stack[sp++ & 15] = b < a;
			break;
		case JUMP:
			pc = code[pc % size];
			break;
		case IF:
			a = stack[--sp & 15];
			pc = a ? code[pc % size] + 1u : pc + 1;
			break;
		case DUP:
			a = stack[(sp - 1) & 15];
			stack[sp++ & 15] = a;
			break;
		case DROP:
			sp--;
			break;
		case MIX:
			sum = fold(sum, stack[(sp - 1) & 15]);
			memory[sum >> 27] ^= sum;
			break;
		default:
			sum = fold(sum, pc ^ sp);
			pc = sum % size; /* anywhere: what comes then is code, too */
			break;
		}
	}
	return sum;
}

uint32_t run(uint32_t count)
{
	uint32_t state = 1, sum = 0;

	for (int i = 0; i < 32; i++)
		memory[i] = next(&state);
	for (uint32_t n = 0; n < count; n++)
		sum = execute(program, sizeof program, 1000, fold(sum, n));
	return sum;
}
