/* An element of an array has the pointer to another's parent by assignment of structs. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct parent; 
struct chan {
	struct parent *p;
	int n;
};

struct parent {
	spinlock_t lock;
	struct chan ch[4];
	int total;
};

static struct parent *g;

static int demo_open(struct inode *inode, struct file *file)
{
	struct parent *p = kzalloc(sizeof(*p), GFP_KERNEL);
	int i;
	if (!p)
		return -ENOMEM;
	for (i = 0; i < 4; i++)
		p->ch[i].p = p; // NORACE
	if (g) // RACE!
		p->ch[1] = g->ch[2]; // RACE!
	g = p; // RACE!
	file->private_data = p;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct parent *p = file->private_data;
	spin_lock(&p->lock);
	p->ch[1].p->total++; // RACE!
	spin_unlock(&p->lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.unlocked_ioctl = demo_ioctl,
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
