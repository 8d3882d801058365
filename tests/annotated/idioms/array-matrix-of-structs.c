/* Rows are structs with an array of locks and one of data. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>

#define ROWS 4
#define COLS 6

struct row {
	spinlock_t locks[COLS];
	int total;
	struct {
		int count, other;
	} cells[COLS];
};

static struct row rows[ROWS];

static void cell_add(struct row *row, unsigned int j, int n)
{
	spin_lock(&row->locks[j]);
	row->cells[j].count += n; // NORACE
	spin_unlock(&row->locks[j]);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd >= ROWS || arg >= COLS)
		return -EINVAL;
	cell_add(&rows[cmd], arg, 1);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct row *row = &rows[len % ROWS];
	unsigned int j = *pos % COLS;

	spin_lock(&row->locks[j]);
	len = row->cells[j].count; // NORACE
	spin_unlock(&row->locks[j]);
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
