/* The drivers that exist; xof.c picks one. */
#ifndef HAL_DRIVERS_H
#define HAL_DRIVERS_H

#include "xof.h"

extern const struct xof_driver xof_soft;       /* Keccak */
extern const struct xof_driver xof_soft_ascon;
extern const struct xof_driver xof_fifo;
extern const struct xof_driver xof_ram;
extern const struct xof_driver xof_reg24, xof_reg12, xof_regx24, xof_regx12; /* Keccak by rounds */
extern const struct xof_driver xof_regascon, xof_regascon8, xof_regascon128;

#endif
