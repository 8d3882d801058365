/* Two members of one object are two places. */
#include <oracle.h>

struct dev { struct mutex *p; struct mutex *q; int a; };
static struct mutex m1, m2;
static struct dev D = { &m1, &m2, 0 };
static void setup(void) {}
READ(r)
{
	mutex_lock(D.p);
	D.a++;
	mutex_unlock(D.p);
	return 0;
}
WRITE(w)
{
	mutex_lock(D.q);
	D.a++;
	mutex_unlock(D.q);
	return 0;
}
DRIVER(.read = r, .write = w)
