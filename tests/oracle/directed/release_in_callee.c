/* A function gives back its caller's lock. */
#include <oracle.h>

static struct mutex m;
static int g;
static void setup(void) {}
static void give(struct mutex *p)
{
	mutex_unlock(p);
}
READ(r)
{
	mutex_lock(&m);
	give(&m);
	g++;
	return 0;
}
DRIVER(.read = r)
