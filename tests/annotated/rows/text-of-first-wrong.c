/* What is taken for a text may be all of the struct, not its first member. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/string.h>

struct entry {
	char head[4];
	char text[12];
};

static DEFINE_SPINLOCK(lock);
static struct entry entries[4];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct entry *entry = &entries[cmd & 3];

	return strcmp((char *)entry, "demodemo"); // RACE!
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct entry *entry = &entries[len & 3];

	spin_lock(&lock);
	entry->text[0] = len; // RACE!
	spin_unlock(&lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
