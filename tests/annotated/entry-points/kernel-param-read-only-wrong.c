/* What sets a parameter whose file cannot be written has run before init; the second file of `depth` can be, `width` is set by others, and the file of `height` is there. */
// verdict: potential
#include <linux/module.h>


static int level, depth, width, height, used;

static int level_set(const char *val, const struct kernel_param *kp)
{
	level = val[0];
	return 0;
}

static const struct kernel_param_ops level_ops = {
	.set = level_set,
};
module_param_cb(level, &level_ops, &level, 0444);

static int depth_set(const char *val, const struct kernel_param *kp)
{
	depth = val[0]; // RACE!
	return 0;
}

static const struct kernel_param_ops depth_ops = {
	.set = depth_set,
};
module_param_cb(depth, &depth_ops, &depth, 0444);
module_param_cb(deep, &depth_ops, &depth, 0644);

static int width_set(const char *val, const struct kernel_param *kp)
{
	width = val[0]; // RACE!
	return 0;
}

static const struct kernel_param_ops width_ops = {
	.set = width_set,
};
module_param_cb(width, &width_ops, &width, 0444);

const struct kernel_param_ops *sizes(void)
{
	return &width_ops;
}
EXPORT_SYMBOL(sizes);

static int height_get(char *buffer, const struct kernel_param *kp)
{
	return height++; // RACE!
}

static const struct kernel_param_ops height_ops = {
	.get = height_get,
};
module_param_cb(height, &height_ops, &height, 0200);

int levels(void)
{
	if (level)
		used++; // RACE!
	return depth + width + height; // RACE!
}
EXPORT_SYMBOL(levels);
