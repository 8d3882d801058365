/* Further activations get another object at last: the lock of the first one does not protect it. */
#include <oracle.h>

struct dev {
	struct mutex lock;
	int a;
	struct dev *next;
};
static struct dev last;
static struct dev first = { .next = &last };
static void setup(void) {}
static void walk(struct dev *d, unsigned int k)
{
	if (k > 1)
		walk(d, k - 1);
	if (k == 1)
		walk(d->next, k - 1);
	d->a++;
}
READ(r)
{
	mutex_lock(&first.lock);
	walk(&first, 6);
	mutex_unlock(&first.lock);
	return 0;
}
WRITE(w)
{
	mutex_lock(&last.lock);
	last.a++;
	mutex_unlock(&last.lock);
	return 0;
}
DRIVER(.read = r, .write = w)
