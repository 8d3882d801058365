/* Code outside does not write through what it is declared to get as a pointer to constants. */
// verdict: race-free
// assume: unknown-external
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

struct level { int low, high; };

typedef const struct level *level_p;
extern void board_read(const struct level *level);
extern void board_copy(level_p level, const volatile int *table);

static struct level level = { 1, 2 };
static int limits[] = { 1, 2, 3 };

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return level.low + limits[*pos & 1]; // NORACE
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	board_read(&level); // NORACE
	board_copy(&level, limits); // NORACE
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
