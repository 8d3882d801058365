/* A matrix of locks: the first of each row is for the row itself, the others for its elements. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

#define ROWS 4
#define COLS 6

static struct mutex locks[ROWS][COLS + 1];
static long heads[ROWS], data[ROWS][COLS];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned int i = cmd / COLS % ROWS, j = cmd % COLS;

	mutex_lock(&locks[i][0]);
	heads[i]++; // NORACE
	mutex_unlock(&locks[i][0]);
	mutex_lock(&locks[i][j + 1]);
	data[i][j]++; // NORACE
	mutex_unlock(&locks[i][j + 1]);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	unsigned int i = len % ROWS, k = 1 + (unsigned int)*pos % COLS;

	mutex_lock(&locks[i][k]);
	len = data[i][k - 1]; // NORACE
	mutex_unlock(&locks[i][k]);
	return len;
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

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
