/* A third function changes the pointer through which two others find their lock (rule 2). */
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
	return 0;
}
WRITE(w)
{
	struct mutex *m = READ_ONCE(lockp);
	mutex_lock(m);
	g++;
	mutex_unlock(m);
	return 0;
}
IOCTL(i)
{
	WRITE_ONCE(lockp, &m2);
	return 0;
}
DRIVER(.read = r, .write = w, .unlocked_ioctl = i)
