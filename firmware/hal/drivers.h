/* The drivers that exist; xof.c picks the first that serves what is attached. */
#ifndef HAL_DRIVERS_H
#define HAL_DRIVERS_H

#include "xof.h"

/* A driver that a program brings, see template/; it goes before the others. */
extern const struct xof_driver xof_own __attribute__((weak));

extern const struct xof_driver xof_soft;       /* Keccak */
extern const struct xof_driver xof_soft_ascon;
extern const struct xof_driver xof_fifo;
extern const struct xof_driver xof_ram;

#endif
