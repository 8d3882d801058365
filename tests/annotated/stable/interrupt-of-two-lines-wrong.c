/* The handlers of two lines run at once, though they have one argument. */
// verdict: potential
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct obj { spinlock_t lock; int x; };
struct demo { struct obj *cur, *a, *b; };

static irqreturn_t h1(int irq, void *data)
{
	struct demo *d = data;
	struct obj *p = READ_ONCE(d->cur), *q;

	spin_lock(&p->lock);
	q = READ_ONCE(d->cur);
	q->x++; // RACE!
	spin_unlock(&p->lock);
	return IRQ_HANDLED;
}
static irqreturn_t h2(int irq, void *data)
{
	struct demo *d = data;

	WRITE_ONCE(d->cur, d->b);
	spin_lock(&d->b->lock);
	d->b->x++; // RACE!
	spin_unlock(&d->b->lock);
	return IRQ_HANDLED;
}
static int __init demo_init(void)
{
	struct demo *d = kzalloc(sizeof(*d), GFP_KERNEL);

	if (!d || !(d->a = kzalloc(sizeof(*d->a), GFP_KERNEL)) || !(d->b = kzalloc(sizeof(*d->b), GFP_KERNEL)))
		return -ENOMEM;
	spin_lock_init(&d->a->lock);
	spin_lock_init(&d->b->lock);
	d->cur = d->a;
	return request_irq(5, h1, 0, "a", d) ?: request_irq(6, h2, 0, "b", d);
}
module_init(demo_init);
