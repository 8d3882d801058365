/* Others may give one buffer to two functions: one takes it for characters, the other for a struct. */
// verdict: potential
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>

struct header {
	int kind;
	int length;
};

static DEFINE_MUTEX(filling);
static DEFINE_MUTEX(marking);

void demo_fill(unsigned char *to)
{
	mutex_lock(&filling);
	*to = 1; // RACE!
	mutex_unlock(&filling);
}
EXPORT_SYMBOL(demo_fill);

void demo_mark(unsigned char *bytes)
{
	struct header *header = (struct header *)bytes;

	mutex_lock(&marking);
	header->kind = 1; // RACE!
	mutex_unlock(&marking);
}
EXPORT_SYMBOL(demo_mark);
