/* A trylock that fails gives nothing. */
#include <oracle.h>

static struct mutex m;
static int g;
static void setup(void) {}
READ(r)
{
	mutex_trylock(&m);
	g++;
	return 0;
}
DRIVER(.read = r)
