/* Code that nobody models may write what it gets. */
#include <oracle.h>

static int g;
static void setup(void) {}
READ(r)
{
	outside(&g);
	return 0;
}
WRITE(w)
{
	return g;
}
DRIVER(.read = r, .write = w)
