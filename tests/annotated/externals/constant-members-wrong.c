/* The members of a constant struct, read by an index: they lead to a struct, which others get as characters. */
// verdict: potential
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>

struct user {
	struct mutex lock;
	int count;
};

static struct user first, second;
static DEFINE_MUTEX(filling);

static const struct pair {
	void *one, *other;
} pair = { &first, &second };

unsigned char *pair_bytes(unsigned long at)
{
	return *(void *const *)((const char *)&pair + (at & 8));
}
EXPORT_SYMBOL(pair_bytes);

void pair_count(void)
{
	mutex_lock(&first.lock);
	first.count++; // RACE!
	mutex_unlock(&first.lock);
}
EXPORT_SYMBOL(pair_count);

void pair_fill(unsigned char *to)
{
	mutex_lock(&filling);
	*to = 1; // RACE!
	mutex_unlock(&filling);
}
EXPORT_SYMBOL(pair_fill);
