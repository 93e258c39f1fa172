package accel

import "socsim/rv32"

// Instructions returns those of coupling lsux, and none for the others.
func (e *Engine) Instructions() []rv32.Instr { return nil }
