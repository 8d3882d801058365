/* A function that the module alone calls gets what the module gives it. */
// verdict: race-free
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	int a;
	u8 level;
};

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(byte_lock);
static u8 *current_byte;

struct command {
	void (*complete)(void *arg);
	void *arg;
};

void outside_watch(void *object);
void outside_run(void (*complete)(void *arg));

static void command_complete(void *arg)
{
	mutex_lock(&byte_lock);
	*(u8 *)arg = 1; // NORACE
	mutex_unlock(&byte_lock);
}

static void command_run(void (*complete)(void *arg), void *arg)
{
	struct command command = { .complete = complete, .arg = arg };

	command.complete(command.arg);
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	u8 *byte = kzalloc(8, GFP_KERNEL);

	if (!demo || !byte)
		return -ENOMEM;
	file->private_data = demo;
	outside_watch(demo);
	mutex_lock(&byte_lock);
	current_byte = byte;
	mutex_unlock(&byte_lock);
	command_run(command_complete, byte);

	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	struct demo *demo = file->private_data;

	mutex_lock(&lock);
	demo->level = n; // NORACE
	mutex_unlock(&lock);
	return n;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.write = demo_write,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
