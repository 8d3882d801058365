/* The address of a member that owns by declaration or that of another is kept, and what it leads to is copied. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/etherdevice.h>

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);

struct pv {
	u8 **macp;
	u8 *mac;
	u8 *spare;
	int n;
};

static struct net_device *nd;
static struct pv *pv;
static bool spared;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&a);
	pv->mac[0] = 1; // RACE!
	mutex_unlock(&a);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&b);
	((u8 *)nd->dev_addr)[0] = 2; // RACE!
	mutex_unlock(&b);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	pv->mac = *pv->macp; // RACE!
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	nd = alloc_etherdev(0);
	pv = kzalloc(sizeof(*pv), GFP_KERNEL);
	pv->macp = spared ? &pv->spare : (u8 **)&nd->dev_addr;
	return misc_register(&demo_misc);
}
module_init(demo_init);
