/* Callers of an exported function may give another lock each time. */
// verdict: potential
#include <linux/module.h>
#include <linux/spinlock.h>

struct place {
	spinlock_t *lock;
	int *count;
};

static int total;

void demo_add(struct place at)
{
	spin_lock(at.lock);
	total++; // RACE!
	spin_unlock(at.lock);
}
EXPORT_SYMBOL_GPL(demo_add);
