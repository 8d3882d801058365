/* match_string reads the texts, not only where they are. */
// verdict: potential
#include "found.h"

int match_string(const char * const *array, size_t n, const char *string);

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	const char *texts[] = { (const char *)shared, NULL };

	return match_string(texts, 2, "on"); // RACE!
}
