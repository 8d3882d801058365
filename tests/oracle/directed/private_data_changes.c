/* private_data is not stable if a call changes it. */
#include <oracle.h>

struct dev { struct mutex lock; int a; };
static struct dev D0, D1;
static int g;
static void setup(void) {}
OPEN(o)
{
	f->private_data = &D0;
	return 0;
}
READ(r)
{
	struct dev *d = READ_ONCE(f->private_data);
	mutex_lock(&d->lock);
	g++;
	mutex_unlock(&d->lock);
	return 0;
}
IOCTL(i)
{
	WRITE_ONCE(f->private_data, &D1);
	return 0;
}
DRIVER(.open = o, .read = r, .unlocked_ioctl = i)
