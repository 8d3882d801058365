/* What two threads do not know need not be the same. */
#include <oracle.h>

static struct mutex locks[2];
static int g;
static void setup(void) {}
READ(r)
{
	struct mutex *m = &locks[rnd() & 1];
	mutex_lock(m);
	g++;
	mutex_unlock(m);
	return 0;
}
DRIVER(.read = r)
