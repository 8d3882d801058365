/* Two members of one object are two places. */
#include <oracle.h>

struct dev { struct mutex *p; struct mutex *q; int a; };
static struct mutex m1, m2;
static void setup(void) {}
OPEN(o)
{
	struct dev *d = kzalloc(sizeof(*d), 0);
	if (!d)
		return -12;
	d->p = &m1;
	d->q = &m2;
	f->private_data = d;
	return 0;
}
READ(r)
{
	struct dev *d = f->private_data;
	if (!d)
		return -19;
	mutex_lock(d->p);
	d->a++;
	mutex_unlock(d->p);
	return 0;
}
WRITE(w)
{
	struct dev *d = f->private_data;
	if (!d)
		return -19;
	mutex_lock(d->q);
	d->a++;
	mutex_unlock(d->q);
	return 0;
}
DRIVER(.open = o, .read = r, .write = w)
