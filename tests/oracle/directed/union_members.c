/* The members of a union are the same bytes (rule 7). */
#include <oracle.h>

union mix { int i; u16 s[2]; u8 c[4]; };
static union mix u;
static void setup(void) {}
READ(r)
{
	u.i = 1;
	return 0;
}
WRITE(w)
{
	u.s[1] = 2;
	return 0;
}
DRIVER(.read = r, .write = w)
