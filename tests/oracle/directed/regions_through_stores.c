/* A pointer that is stored points to the same after it is loaded. */
#include <oracle.h>

struct dev { int a; int *p; };
static struct dev dev;
static int g;
static void setup(void)
{
	dev.p = &g;
}
READ(r)
{
	*dev.p = 1;
	return 0;
}
WRITE(w)
{
	g = 2;
	return 0;
}
DRIVER(.read = r, .write = w)
