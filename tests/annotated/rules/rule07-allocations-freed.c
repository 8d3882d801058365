/* The end of a buffer is a write to all of it, wherever the pointer to it was kept: in a variable, in an element of an
 * array, or in a member. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/netdevice.h>

struct ring {
	struct sk_buff *one, *many[4];
};
static struct ring ring;
static struct sk_buff *variable, *elements[4];

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct sk_buff *skb;

	switch (n) {
	case 0:
		skb = READ_ONCE(variable);
		return skb->len; // RACE!
	case 1:
		skb = READ_ONCE(elements[*pos & 3]);
		return skb->data_len; // RACE!
	case 2:
		skb = READ_ONCE(ring.many[*pos & 3]);
		return skb->truesize; // RACE!
	}
	skb = READ_ONCE(ring.one);
	return skb->end; // RACE!
}

static int demo_fsync(struct file *file, loff_t start, loff_t end, int cmd)
{
	switch (cmd) {
	case 0:
		kfree_skb(variable); // RACE!
		break;
	case 1:
		kfree_skb(elements[start & 3]); // RACE!
		break;
	case 2:
		kfree_skb(ring.many[start & 3]); // RACE!
		break;
	case 3:
		kfree_skb(ring.one); // RACE!
		break;
	}
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.fsync = demo_fsync,
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
