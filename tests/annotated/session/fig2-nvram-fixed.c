/* Figure 2 of the WHOOP paper: the fix takes a mutex. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(nvram_mutex);
static loff_t nvram_len = 8192;

static loff_t nvram_llseek(struct file *file, loff_t offset, int origin)
{
	mutex_lock(&nvram_mutex);
	switch (origin) {
	case 0:
		break;
	case 1:
		offset += file->f_pos; // NORACE
		break;
	case 2:
		offset += nvram_len;
		break;
	}
	if (offset < 0) {
		mutex_unlock(&nvram_mutex);
		return -EINVAL;
	}
	file->f_pos = offset; // NORACE
	mutex_unlock(&nvram_mutex);
	return offset;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.llseek = nvram_llseek,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
