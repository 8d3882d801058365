/* A difference wraps. */
#include <oracle.h>

static int g;
static void setup(void) {}
READ(r)
{
	unsigned int k = rnd(), l = rnd();
	if (k - l > k)
		g++;
	return 0;
}
DRIVER(.read = r)
