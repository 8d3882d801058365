/* Who wants signals is put into a list whose head the driver may look at: not without the lock of fcntl, which it does not have. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

struct fasync_struct;
int fasync_helper(int fd, struct file *file, int on, struct fasync_struct **list);
void kill_fasync(struct fasync_struct **list, int sig, int band);

static struct fasync_struct *demo_queue;
static struct fasync_struct *demo_other;

static int demo_fasync(int fd, struct file *file, int on)
{
	fasync_helper(fd, file, on, &demo_other); // NORACE
	return fasync_helper(fd, file, on, &demo_queue); // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	if (demo_queue) // RACE!
		kill_fasync(&demo_queue, 29, 1);
	kill_fasync(&demo_other, 29, 1); // NORACE
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.fasync = demo_fasync,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
