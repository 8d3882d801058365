/* A parameter whose file cannot be written is set before init, by the thread that loads the module; that of the other may be. */
// verdict: race-free
#include <linux/module.h>


static int level, depth;

static int level_set(const char *val, const struct kernel_param *kp)
{
	level++; // NORACE
	return 0;
}

static const struct kernel_param_ops level_ops = {
	.set = level_set,
};

static int depth_set(const char *val, const struct kernel_param *kp)
{
	depth++; // NORACE
	return 0;
}

static int depth_get(char *buffer, const struct kernel_param *kp)
{
	return depth; // NORACE
}

static const struct kernel_param_ops depth_ops = {
	.set = depth_set,
	.get = depth_get,
};

module_param_cb(level, &level_ops, &level, 0444);
module_param_cb(depth, &depth_ops, &depth, 0200);

static int levels(void)
{
	return level; // NORACE
}
EXPORT_SYMBOL(levels);
