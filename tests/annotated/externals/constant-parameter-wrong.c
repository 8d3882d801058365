/* A constant pointer is none to constants; and what is read races with who writes it. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

struct level { int low, high; };

extern void board_read(const struct level *level);
extern void board_fill(struct level *const level);
extern void board_list(const struct level **levels);

static struct level level = { 1, 2 }, other = { 1, 2 };
static const struct level *levels[] = { &level, &other };

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return level.low + levels[*pos & 1]->low; // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	other.high = len; // RACE!
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	board_read(&other); // RACE!
	board_fill(&level); // RACE!
	board_list(levels); // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
