/* What was read under a lock may have changed when the lock is taken again (rule 3). */
#include <oracle.h>

struct dev { struct mutex lock; struct mutex *inner; int a; };
static struct mutex m1, m2;
static struct dev D = { .inner = &m1 };
static void setup(void) {}
READ(r)
{
	struct mutex *m;
	mutex_lock(&D.lock);
	m = D.inner;
	mutex_unlock(&D.lock);
	mutex_lock(m);
	D.a++;
	mutex_unlock(m);
	return 0;
}
WRITE(w)
{
	mutex_lock(&D.lock);
	D.inner = &m2;
	mutex_unlock(&D.lock);
	return 0;
}
DRIVER(.read = r, .write = w)
