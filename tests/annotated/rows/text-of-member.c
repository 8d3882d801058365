/* Who compares the text in a member reads no other members. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/string.h>

struct entry {
	char names[4][8];
	int users;
	int count;
};

static DEFINE_SPINLOCK(lock);
static struct entry entries[4];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct entry *entry = &entries[cmd & 3];

	return strcmp(entry->names[arg & 3], "demo"); // NORACE
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct entry *entry = &entries[len & 3];

	spin_lock(&lock);
	entry->users++; // NORACE
	entry->count++; // NORACE
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
