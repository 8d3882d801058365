/* A callee publishes what its caller has made; then others see it. */
#include <oracle.h>

struct dev {
	int a;
};
static struct dev *known;
static void setup(void) {}
static void publish(struct dev *d)
{
	WRITE_ONCE(known, d);
}
OPEN(o)
{
	struct dev *d = kzalloc(sizeof(*d), 0);

	if (!d)
		return -12;
	publish(d);
	d->a = 1;
	return 0;
}
READ(r)
{
	struct dev *d = READ_ONCE(known);

	if (d)
		d->a = 2;
	return 0;
}
DRIVER(.open = o, .read = r)
