/* The kernel gives the function that sets a parameter its variable, which has a lock. */
// verdict: race-free
// assume: outside-callback: param_set_charp
// assume: outside-callback: param_get_int as kernel_param_ops.get
// assume: outside-callback: param_ops_int for __param_plain
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>

int param_set_int(const char *val, const struct kernel_param *kp);
int param_set_charp(const char *val, const struct kernel_param *kp);
int param_get_int(char *buffer, const struct kernel_param *kp);
void param_free_charp(void *arg);


static int level, limit, plain;
static char *label;
static DEFINE_MUTEX(lock);

static int level_set(const char *val, const struct kernel_param *kp)
{
	mutex_lock(&lock);
	*(int *)kp->arg = val[0]; // NORACE
	mutex_unlock(&lock);
	return 0;
}

static int limit_set(const char *val, const struct kernel_param *kp)
{
	int error;

	mutex_lock(&lock);
	error = param_set_int(val, kp); // NORACE
	mutex_unlock(&lock);
	return error;
}

static int label_set(const char *val, const struct kernel_param *kp)
{
	return param_set_charp(val, kp);
}

static const struct kernel_param_ops level_ops = { .set = level_set, .get = param_get_int };
static const struct kernel_param_ops limit_ops = { .set = limit_set, .get = param_get_int };

static const struct kernel_param __param_level __attribute__((used, section("__param"))) = {
	.name = "level", .ops = &level_ops, .perm = 0644, .arg = &level
};
static const struct kernel_param_ops label_ops = { .set = label_set };
static const struct kernel_param __param_label __attribute__((used, section("__param"))) = {
	.name = "label", .ops = &label_ops, .perm = 0644, .arg = &label
};

static const struct kernel_param __param_limit __attribute__((used, section("__param"))) = {
	.name = "limit", .ops = &limit_ops, .perm = 0644, .arg = &limit
};

static const struct kernel_param __param_plain __attribute__((used, section("__param"))) = {
	.name = "plain", .ops = &param_ops_int, .perm = 0644, .arg = &plain
};

static loff_t demo_llseek(struct file *file, loff_t offset, int whence)
{
	mutex_lock(&lock);
	offset = level; // NORACE
	offset += limit; // NORACE
	offset += plain; // NORACE
	offset += label ? label[0] : 0; // NORACE
	mutex_unlock(&lock);
	return offset;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	param_free_charp(&label); // NORACE
	label = NULL; // NORACE
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.llseek = demo_llseek,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
