/* A sum wraps (rule 1). */
#include <oracle.h>

static int g;
static void setup(void) {}
READ(r)
{
	unsigned int k = rnd();
	if (k + 16 < k)
		g++;
	return 0;
}
DRIVER(.read = r)
