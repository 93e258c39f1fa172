/*
 * Signing with the SDitH coprocessor: the program without -sw.
 */
#ifndef SDITH_DEVICE_H
#define SDITH_DEVICE_H

/* Reads the arguments, signs, prints what it took. Returns the exit code. */
int device_main(void);

#endif
