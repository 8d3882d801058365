/* What is put into a packet comes out of it, and a packet that is put into a queue. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>

struct note {
	int value;
};

void skb_append(struct sk_buff *old, struct sk_buff *skb, struct sk_buff_head *list);
struct sk_buff *skb_dequeue(struct sk_buff_head *list);
void *skb_put_data(struct sk_buff *skb, const void *data, unsigned int len);
int skb_store_bits(struct sk_buff *skb, int offset, const void *from, int len);
int skb_copy_bits(const struct sk_buff *skb, int offset, void *to, int len);

static struct sk_buff_head queue;
static struct sk_buff *packet;
static DEFINE_MUTEX(lock);

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct sk_buff *skb = __netdev_alloc_skb(NULL, 100, GFP_KERNEL);
	struct note *note = kzalloc(sizeof(*note), GFP_KERNEL);

	skb_append(packet, skb, &queue); // RACE!
	skb->pkt_type = len; // RACE!
	mutex_lock(&lock);
	skb_put_data(packet, &note, sizeof(note));
	mutex_unlock(&lock);
	note->value = len; // RACE!
	note = kzalloc(sizeof(*note), GFP_KERNEL);
	mutex_lock(&lock);
	skb_store_bits(packet, 8, &note, sizeof(note)); // RACE!
	mutex_unlock(&lock);
	note->value = len; // RACE!
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct sk_buff *skb = skb_dequeue(&queue);
	struct note *note;

	len = skb ? skb->pkt_type : 0; // RACE!
	mutex_lock(&lock);
	skb_copy_bits(packet, 8, &note, sizeof(note)); // RACE!
	mutex_unlock(&lock);
	len += note->value; // RACE!
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.read = demo_read,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	packet = __netdev_alloc_skb(NULL, 100, GFP_KERNEL);
	return misc_register(&demo_misc);
}
module_init(demo_init);
