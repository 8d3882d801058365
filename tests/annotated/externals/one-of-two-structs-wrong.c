/* A pointer to one of two structs of different types: it is not that of the one that was read last. */
// verdict: potential
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>

struct left {
	long sum;
};

struct right {
	long product;
};

static DEFINE_MUTEX(one);
static DEFINE_MUTEX(other);

void both_clear(struct left *left, struct right *right, int which)
{
	long *number = which ? (long *)left : (long *)right;

	mutex_lock(&one);
	*number = 0; // RACE!
	mutex_unlock(&one);
}
EXPORT_SYMBOL(both_clear);

void both_add(struct left *left, struct right *right)
{
	mutex_lock(&other);
	left->sum++; // RACE!
	right->product++; // RACE!
	mutex_unlock(&other);
}
EXPORT_SYMBOL(both_add);
