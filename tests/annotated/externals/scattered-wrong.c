/* Who gets a scatterlist finds the buffer. */
// verdict: potential
#include <linux/scatterlist.h>
#include "found.h"

void sg_init_one(struct scatterlist *list, const void *buffer, unsigned int n);
int other_gather(struct scatterlist *list);

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct scatterlist list;

	sg_init_one(&list, shared, 8);
	return other_gather(&list); // RACE!
}
