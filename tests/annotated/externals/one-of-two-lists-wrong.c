/* An entry of a list, or bytes that others give. */
// verdict: potential
#include <linux/list.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(filling);

struct message {
	int n;
	struct list_head link;
};

struct queue {
	spinlock_t lock;
	struct list_head urgent, others;
	int count;
};

int queue_take(struct queue *queue, unsigned char *bytes)
{
	struct list_head *entry = NULL;

	spin_lock(&queue->lock);
	if (!list_empty(&queue->urgent)) // RACE: the entries of two queues are not known to be two
		entry = queue->urgent.next; // RACE: the same
	else if (!list_empty(&queue->others)) // RACE: the same
		entry = (struct list_head *)bytes;
	if (entry)
		list_del(entry); // RACE: the same
	spin_unlock(&queue->lock);
	return entry != NULL;
}
EXPORT_SYMBOL(queue_take);

int queue_put(struct queue *queue)
{
	struct message *message = kzalloc(sizeof(*message), GFP_KERNEL);

	if (!message)
		return -ENOMEM;
	spin_lock(&queue->lock);
	list_add_tail(&message->link, &queue->others); // RACE: the same
	spin_unlock(&queue->lock);
	return 0;
}
EXPORT_SYMBOL(queue_put);

void queue_fill(unsigned char *to)
{
	spin_lock(&filling);
	*to = 1; // RACE!
	spin_unlock(&filling);
}
EXPORT_SYMBOL(queue_fill);
