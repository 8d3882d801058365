/* The second branch is taken when the first is not. */
#include <oracle.h>

static struct mutex m;
static int g;
static void setup(void) {}
READ(r)
{
	if (mutex_trylock(&m))
		mutex_unlock(&m);
	else
		g++;
	return 0;
}
DRIVER(.read = r)
