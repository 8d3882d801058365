/* Both accesses must be marked. */
#include <oracle.h>

static int g;
static void setup(void) {}
READ(r)
{
	return READ_ONCE(g);
}
WRITE(w)
{
	g = 1;
	return 0;
}
DRIVER(.read = r, .write = w)
