/* Constant texts are nobody else's. */
// verdict: race-free
#include "found.h"

int match_string(const char * const *array, size_t n, const char *string);

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	static const char * const modes[] = { "on", "off" };

	return match_string(modes, 2, "on"); // NORACE
}
