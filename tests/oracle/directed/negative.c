/* A signed number may be negative. */
#include <oracle.h>

static int g;
static void setup(void) {}
READ(r)
{
	int k = rnd();
	if (k < 0)
		g++;
	return 0;
}
DRIVER(.read = r)
