/* An array of pointers has no struct; unknown code looks at all of it. */
// verdict: potential
#include "found.h"

int other_sum(void **buffers, int count);

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	void *buffers[2] = { shared, shared + 32 };

	return other_sum(buffers, 2); // RACE!
}
