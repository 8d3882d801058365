/* Opposite orders: of two globals, of two members of one struct; and orders that are none. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/miscdevice.h>

static DEFINE_MUTEX(list);
static DEFINE_MUTEX(item);
static DEFINE_MUTEX(gate);
static DEFINE_MUTEX(left);
static DEFINE_MUTEX(right);
static DEFINE_MUTEX(tried);

struct session {
	spinlock_t in, out;
	int n;
};

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct session *s = file->private_data;

	mutex_lock(&list);
	mutex_lock(&item); // ORDER
	mutex_unlock(&item);
	mutex_unlock(&list);

	spin_lock(&s->in);
	spin_lock(&s->out); // ORDER
	s->n++;
	spin_unlock(&s->out);
	spin_unlock(&s->in);

	/* Nobody else is in there. */
	mutex_lock(&gate);
	mutex_lock(&left);
	mutex_lock(&right);
	mutex_unlock(&right);
	mutex_unlock(&left);
	mutex_unlock(&gate);

	mutex_lock(&tried);
	mutex_lock(&list);
	mutex_unlock(&list);
	mutex_unlock(&tried);
	return n;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	struct session *s = file->private_data;

	mutex_lock(&item);
	mutex_lock(&list); // ORDER
	mutex_unlock(&list);
	mutex_unlock(&item);

	spin_lock(&s->out);
	spin_lock(&s->in); // ORDER
	s->n--;
	spin_unlock(&s->in);
	spin_unlock(&s->out);

	mutex_lock(&gate);
	mutex_lock(&right);
	mutex_lock(&left);
	mutex_unlock(&left);
	mutex_unlock(&right);
	mutex_unlock(&gate);

	/* Who does not wait is not waited for. */
	mutex_lock(&list);
	if (mutex_trylock(&tried))
		mutex_unlock(&tried);
	mutex_unlock(&list);
	return n;
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct session *s = kzalloc(sizeof(*s), GFP_KERNEL);

	if (!s)
		return -ENOMEM;
	spin_lock_init(&s->in);
	spin_lock_init(&s->out);
	file->private_data = s;
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
