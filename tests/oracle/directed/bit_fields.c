/* Bit-fields of one storage unit are written together. */
#include <oracle.h>

union mix { struct { unsigned int f1 : 3, f2 : 12, f3 : 9; }; u8 c[4]; };
static union mix u;
static void setup(void) {}
READ(r)
{
	u.f3 = 1;
	return 0;
}
WRITE(w)
{
	u.c[2] = 2;
	return 0;
}
DRIVER(.read = r, .write = w)
