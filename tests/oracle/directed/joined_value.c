/* Where paths meet, a value is that of the path that was taken. */
#include <oracle.h>

static struct mutex m1, m2;
static int g;
static void setup(void) {}
READ(r)
{
	struct mutex *m = rnd() ? &m1 : &m2;
	mutex_lock(m);
	g++;
	mutex_unlock(m);
	return 0;
}
DRIVER(.read = r)
