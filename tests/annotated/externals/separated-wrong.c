/* strsep cuts the text that the pointer leads to. */
// verdict: potential
#include "found.h"

char *strsep(char **text, const char *characters);

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	char *text = (char *)shared;

	return strsep(&text, ",") ? 1 : 0; // RACE!
}
