/* The lock of another object. */
#include <oracle.h>

struct dev { struct mutex lock; struct dev *peer; int a; };
static struct dev D0, D1;
static void setup(void)
{
	D0.peer = &D1;
	D1.peer = &D0;
}
READ(r)
{
	struct dev *d = &D0;
	mutex_lock(&d->peer->lock);
	d->a++;
	mutex_unlock(&d->peer->lock);
	return 0;
}
WRITE(w)
{
	struct dev *d = &D1;
	mutex_lock(&d->lock);
	d->peer->a++;
	mutex_unlock(&d->lock);
	return 0;
}
IOCTL(i)
{
	mutex_lock(&D0.lock);
	D0.a++;
	mutex_unlock(&D0.lock);
	return 0;
}
DRIVER(.read = r, .write = w, .unlocked_ioctl = i)
