/* The address of a member of an element that others get as one of bytes. */
// verdict: potential
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
	ring->entries[ring->head++ & 3].value = value; // RACE!
	mutex_unlock(&ring->lock);
}
EXPORT_SYMBOL(ring_add);

unsigned char *ring_bytes(struct ring *ring, unsigned int i)
{
	return (unsigned char *)&ring->entries[i & 3].value;
}
EXPORT_SYMBOL(ring_bytes);

void ring_fill(unsigned char *to)
{
	mutex_lock(&filling);
	*to = 1; // RACE!
	mutex_unlock(&filling);
}
EXPORT_SYMBOL(ring_fill);
