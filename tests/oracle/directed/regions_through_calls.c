/* A parameter points to what the caller gives. */
#include <oracle.h>

static int g;
static void setup(void) {}
static void put(int *p)
{
	*p = 1;
}
READ(r)
{
	put(&g);
	return 0;
}
WRITE(w)
{
	g = 2;
	return 0;
}
DRIVER(.read = r, .write = w)
