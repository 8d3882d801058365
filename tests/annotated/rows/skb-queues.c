/* Queues of buffers: who adds or takes one has the list's lock, and writes the list marked. What reads it plainly
   without the lock is a race (skb_queue_len, skb_queue_empty, skb_peek are inline). */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>

void skb_queue_tail(struct sk_buff_head *list, struct sk_buff *skb);
void skb_queue_head(struct sk_buff_head *list, struct sk_buff *skb);
void skb_append(struct sk_buff *old, struct sk_buff *skb, struct sk_buff_head *list);
void skb_unlink(struct sk_buff *skb, struct sk_buff_head *list);
struct sk_buff *skb_dequeue(struct sk_buff_head *list);
struct sk_buff *skb_dequeue_tail(struct sk_buff_head *list);
void skb_queue_purge(struct sk_buff_head *list);
static inline u32 skb_queue_len(const struct sk_buff_head *list) { return list->qlen; } // RACE!
static inline int skb_queue_empty(const struct sk_buff_head *list) { return list->next == (const struct sk_buff *)list; } // RACE!

static struct sk_buff_head tail, head, behind, links, first, last, locked, marked, all;

void demo_add(struct sk_buff *skb, struct sk_buff *old)
{
	switch (skb->len) {
	case 1: skb_queue_tail(&tail, skb); break; // RACE!
	case 2: skb_queue_head(&head, skb); break; // RACE!
	case 3: skb_append(old, skb, &behind); break; // RACE!
	}
}
EXPORT_SYMBOL(demo_add);

void demo_add_own(void)
{
	struct sk_buff *one = dev_alloc_skb(8), *two = dev_alloc_skb(8);

	if (!one || !two)
		return;
	skb_queue_tail(&locked, one); // NORACE
	skb_queue_head(&marked, two); // NORACE
}
EXPORT_SYMBOL(demo_add_own);

void demo_take(struct sk_buff *skb)
{
	skb_unlink(skb, &links); // RACE!
	skb_dequeue(&first); // RACE!
	skb_dequeue_tail(&last); // RACE!
	skb_dequeue(&locked); // NORACE
	skb_dequeue_tail(&marked); // NORACE
	skb_queue_purge(&all); // RACE!
}
EXPORT_SYMBOL(demo_take);

u32 demo_how_many(void)
{
	u32 n = skb_queue_len(&tail) + skb_queue_len(&head) + skb_queue_len(&behind);

	n += skb_queue_len(&links) + skb_queue_empty(&first) + skb_queue_empty(&last);
	spin_lock_irq(&locked.lock);
	n += locked.qlen + !locked.next; // NORACE
	spin_unlock_irq(&locked.lock);
	return n + READ_ONCE(marked.qlen) + all.qlen; // RACE!
}
EXPORT_SYMBOL(demo_how_many);
