/* The text of a parameter belongs to who sets it, and one is set at a time. */
// verdict: race-free
// assume: call-owned
#include <linux/module.h>


static char level;

static int level_set(const char *val, const struct kernel_param *kp)
{
	level = val[0]; // NORACE
	return 0;
}

static int level_get(char *buffer, const struct kernel_param *kp)
{
	buffer[0] = level; // NORACE
	return 1;
}

const struct kernel_param_ops level_ops = {
	.set = level_set,
	.get = level_get,
};
