/*
 * The program without -sw: the coprocessor signs.
 */
#ifndef SDITH_DEVICE_H
#define SDITH_DEVICE_H

/* To be called with the arguments read. Returns the exit code. */
int device_main(void);

#endif
