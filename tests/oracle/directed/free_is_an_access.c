/* A free ends all bytes (rule 9). */
#include <oracle.h>

struct dev { int a, b; };
static struct dev *shared;
static void setup(void)
{
	shared = kzalloc(sizeof(struct dev), 0);
}
READ(r)
{
	struct dev *d = READ_ONCE(shared);
	return d ? d->b : 0;
}
WRITE(w)
{
	struct dev *d = READ_ONCE(shared);
	WRITE_ONCE(shared, NULL);
	kfree(d);
	return 0;
}
DRIVER(.read = r, .write = w)
