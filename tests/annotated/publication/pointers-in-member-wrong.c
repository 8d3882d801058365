/* Pointers in an array that is a member: one element by its number, another by an index. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct ring { int a; int count; };
struct priv { int k; struct ring *rings[2]; };
static DEFINE_MUTEX(lock);
static struct priv *priv;

void demo_new(void)
{
	struct priv *p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (!p)
		return;
	p->rings[0] = kzalloc(sizeof(struct ring), GFP_KERNEL);
	p->rings[1] = kzalloc(sizeof(struct ring), GFP_KERNEL);
	if (!p->rings[0] || !p->rings[1])
		return;
	mutex_lock(&lock);
	if (!priv)
		priv = p;
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_new);

void demo_all(void)
{
	int i;

	mutex_lock(&lock);
	for (i = 0; priv && i < 2; i++)
		priv->rings[i]->count++; // RACE!
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_all);

void demo_reset(void)
{
	struct priv *p;

	mutex_lock(&lock);
	p = priv;
	mutex_unlock(&lock);
	if (p)
		p->rings[1]->count = 0; // RACE!
}
EXPORT_SYMBOL(demo_reset);
