/* What the body of a loop publishes is not private in later iterations. */
#include <oracle.h>

struct dev { int a; };
static struct dev *shared;
static void setup(void) {}
OPEN(o)
{
	struct dev *d = kzalloc(sizeof(*d), 0);
	if (!d)
		return -12;
	for (int i = 0; i < 2; i++) {
		d->a = i;
		WRITE_ONCE(shared, d);
	}
	return 0;
}
READ(r)
{
	struct dev *d = READ_ONCE(shared);
	return d ? d->a : 0;
}
DRIVER(.open = o, .read = r)
