/* The drivers that exist; xof.c picks one. */
#ifndef HAL_DRIVERS_H
#define HAL_DRIVERS_H

#include "xof.h"

extern const struct xof_driver xof_soft;       /* Keccak */
extern const struct xof_driver xof_soft_ascon;
extern const struct xof_driver xof_fifo;
extern const struct xof_driver xof_lsux;
extern const struct xof_driver xof_dma;
extern const struct xof_driver xof_ram;

#endif
