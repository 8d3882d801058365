/* What is freed is a text, so it is no struct of the kernel's and no buffer that is taken for another thing. */
// verdict: race-free
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

struct header {
	int length;
};

static DEFINE_MUTEX(lock);
static char *name;
static struct header *header;

static int demo_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	if (!header)
		WRITE_ONCE(header, kzalloc(sizeof(*header) + 16, GFP_KERNEL));
	inode->i_private = name;
	file->private_data = header;
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	char *text = kmalloc(16, GFP_KERNEL);

	if (!text)
		return -ENOMEM;
	mutex_lock(&lock);
	kfree(name); // NORACE
	name = text;
	mutex_unlock(&lock);
	return n;
}

static __poll_t demo_poll(struct file *file, struct poll_table_struct *wait)
{
	struct header *h = READ_ONCE(header);

	if (file->f_flags) // NORACE
		return 0;
	return h ? h->length : 0; // NORACE
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.write = demo_write,
	.poll = demo_poll,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
