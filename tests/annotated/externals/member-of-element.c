/* A member of an element, whose address goes nowhere, is none of the characters that others have. */
// verdict: race-free
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>

struct entry {
	int kind, value;
};

struct ring {
	struct mutex lock;
	unsigned int head;
	struct entry entries[4];
};

static DEFINE_MUTEX(filling);

void ring_add(struct ring *ring, int value)
{
	mutex_lock(&ring->lock);
	ring->entries[ring->head++ & 3].value = value; // NORACE
	mutex_unlock(&ring->lock);
}
EXPORT_SYMBOL(ring_add);

void ring_fill(unsigned char *to)
{
	mutex_lock(&filling);
	*to = 1; // NORACE
	mutex_unlock(&filling);
}
EXPORT_SYMBOL(ring_fill);
