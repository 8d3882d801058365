/* The same where others get the address without a type. */
// verdict: potential
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct counted {
	struct mutex lock;
	int n;
	int flags;
};

int counted_create(struct counted **out)
{
	struct counted *c = kzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return -ENOMEM;
	mutex_init(&c->lock);
	*out = c;	// RACE: others may give the same address as characters
	return 0;
}
EXPORT_SYMBOL(counted_create);

void counted_inc(struct counted *c)
{
	mutex_lock(&c->lock);
	c->n++;		// RACE!
	mutex_unlock(&c->lock);
}
EXPORT_SYMBOL(counted_inc);

void counted_fill(unsigned char *to)
{
	*to = 1;	// RACE!
}
EXPORT_SYMBOL(counted_fill);

void *counted_value(struct counted *c)
{
	return &c->n;
}
EXPORT_SYMBOL(counted_value);

MODULE_LICENSE("GPL");
