/* The same, but only the function itself changes it. */
#include <oracle.h>

static struct mutex m1, m2;
static struct mutex *lockp = &m1;
static int g;
static void setup(void) {}
READ(r)
{
	struct mutex *m = READ_ONCE(lockp);
	mutex_lock(m);
	g++;
	mutex_unlock(m);
	WRITE_ONCE(lockp, &m2);
	return 0;
}
DRIVER(.read = r)
