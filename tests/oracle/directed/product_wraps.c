/* A product wraps. */
#include <oracle.h>

static int g;
static void setup(void) {}
READ(r)
{
	unsigned int k = rnd();
	if (k * 4 < k)
		g++;
	return 0;
}
DRIVER(.read = r)
