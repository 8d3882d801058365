/* What chips' drivers and probes of tracing do, called through members that other modules fill. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/device.h>
#include <linux/skbuff.h>
#include <linux/miscdevice.h>
#include <lockpair/chips.h>

struct tpm_chip *find_chip(void);
struct agp_bridge_data *find_bridge(void);
const struct nfc_phy_ops *find_phy(void);
struct tracepoint_func *find_probe(void);
struct sk_buff *find_skb(void);

static struct tpm_chip *chip;
static struct agp_bridge_data *bridge;
static const struct nfc_phy_ops *phy;
static struct tracepoint_func *probe;
static struct sk_buff *skb;

static u8 answer[16], question[16];
static struct item {
	int count;
} item, other;

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	chip->ops->status(chip); // RACE!
	chip->ops->recv(chip, answer, sizeof(answer)); // RACE!
	chip->ops->send(chip, question, sizeof(question)); // RACE!
	bridge->driver->mask_memory(bridge, n, 0); // NORACE
	phy->write(chip, skb); // RACE!
	((void (*)(void *, struct item *))probe->func)(probe->data, &item); // RACE!
	return n;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	n += answer[0]; // RACE!
	n += question[0]; // NORACE
	n += chip->flags; // RACE!
	n += chip->opened; // NORACE
	n += bridge->mode; // NORACE
	n += skb->len; // RACE!
	return n;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	item.count = arg; // RACE!
	chip->flags = arg; // RACE!
	chip->timeout_c = arg; // RACE!
	return other.count; // NORACE
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
	chip = find_chip();
	bridge = find_bridge();
	phy = find_phy();
	probe = find_probe();
	skb = find_skb();
	return misc_register(&demo_misc);
}
module_init(demo_init);
