/* Two elements of an array are reached by any index. */
#include <oracle.h>

struct dev { struct mutex lock; int a; };
static struct dev devs[2];
static void setup(void) {}
READ(r)
{
	struct dev *d = &devs[rnd() & 1], *e = &devs[rnd() & 1];
	mutex_lock(&d->lock);
	e->a++;
	mutex_unlock(&d->lock);
	return 0;
}
DRIVER(.read = r)
