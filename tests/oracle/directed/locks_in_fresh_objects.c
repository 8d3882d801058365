/* Two fresh objects are two, and so are their locks. */
#include <oracle.h>

struct dev { struct mutex lock; };
static struct dev *shared;
static int g;
static void setup(void) {}
READ(r)
{
	struct dev *d = kzalloc(sizeof(*d), 0);
	if (!d)
		return -12;
	WRITE_ONCE(shared, d);
	mutex_lock(&d->lock);
	g++;
	mutex_unlock(&d->lock);
	return 0;
}
DRIVER(.read = r)
