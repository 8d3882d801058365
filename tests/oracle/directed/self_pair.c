/* A function meets itself. */
#include <oracle.h>

static int g;
static void setup(void) {}
READ(r)
{
	g = 1;
	return 0;
}
DRIVER(.read = r)
