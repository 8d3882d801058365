/* Narrowing drops bits. */
#include <oracle.h>

static int g;
static void setup(void) {}
READ(r)
{
	unsigned int k = rnd();
	if ((u8)k != k)
		g++;
	return 0;
}
DRIVER(.read = r)
