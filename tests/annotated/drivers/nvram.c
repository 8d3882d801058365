/* A small nvram driver in the style of generic_nvram: one mutex, two forgotten places. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

#define NVRAM_SIZE 8192

static DEFINE_MUTEX(nvram_mutex);
static unsigned char contents[NVRAM_SIZE];
static ssize_t nvram_len = NVRAM_SIZE;
static int dirty;
static unsigned int cursor;

static loff_t nvram_llseek(struct file *file, loff_t offset, int origin)
{
	switch (origin) {
	case 1:
		offset += file->f_pos; // RACE!
		break;
	case 2:
		offset += nvram_len;
		break;
	}
	if (offset < 0)
		return -EINVAL;
	file->f_pos = offset; // RACE!
	return file->f_pos; // RACE!
}

static ssize_t read_nvram(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	unsigned int at = READ_ONCE(cursor);
	unsigned char byte;

	if (at >= NVRAM_SIZE)
		return 0;
	mutex_lock(&nvram_mutex);
	byte = contents[at]; // NORACE
	mutex_unlock(&nvram_mutex);
	return copy_to_user(buf, &byte, 1) ? -EFAULT : 1;
}

static ssize_t write_nvram(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	unsigned int at = READ_ONCE(cursor);
	unsigned char byte;

	if (at >= NVRAM_SIZE)
		return -EINVAL;
	if (copy_from_user(&byte, buf, 1))
		return -EFAULT;
	mutex_lock(&nvram_mutex);
	contents[at] = byte; // NORACE
	dirty = 1; // RACE!
	mutex_unlock(&nvram_mutex);
	return 1;
}

static long nvram_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 1:
		return dirty; // RACE!
	case 2:
		mutex_lock(&nvram_mutex);
		dirty = 0; // RACE!
		mutex_unlock(&nvram_mutex);
		return 0;
	}
	return -ENOTTY;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.llseek = nvram_llseek,
	.read = read_nvram,
	.write = write_nvram,
	.unlocked_ioctl = nvram_ioctl,
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
