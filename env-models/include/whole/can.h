/* CAN devices: the members that inputs use. Not Linux. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>
#include <linux/skbuff.h>
#include <linux/workqueue.h>

struct can_frame { u32 can_id; u8 len, data[8]; };
struct can_priv { struct net_device *dev; unsigned int state; u32 ctrlmode; };
struct can_rx_offload {
	struct net_device *dev;
	struct sk_buff *(*mailbox_read)(struct can_rx_offload *offload, unsigned int mb, u32 *timestamp, bool drop);
	struct sk_buff_head skb_queue, skb_irq_queue;
	u32 skb_queue_len_max;
	unsigned int mb_first, mb_last;
	struct napi_struct napi;
	bool inc;
};
bool can_dropped_invalid_skb(struct net_device *dev, struct sk_buff *skb);
struct sk_buff *alloc_can_skb(struct net_device *dev, struct can_frame **frame);
struct sk_buff *alloc_can_err_skb(struct net_device *dev, struct can_frame **frame);
struct net_device *alloc_candev_mqs(int size, unsigned int echo, unsigned int txqs, unsigned int rxqs);
int register_candev(struct net_device *dev);
void unregister_candev(struct net_device *dev);
void free_candev(struct net_device *dev);
int netif_rx(struct sk_buff *skb);
int can_rx_offload_add_timestamp(struct net_device *dev, struct can_rx_offload *offload);
int can_rx_offload_add_fifo(struct net_device *dev, struct can_rx_offload *offload, unsigned int weight);
int can_rx_offload_irq_offload_timestamp(struct can_rx_offload *offload, u64 pending);
int can_rx_offload_irq_offload_fifo(struct can_rx_offload *offload);
int can_rx_offload_queue_tail(struct can_rx_offload *offload, struct sk_buff *skb);
void can_rx_offload_irq_finish(struct can_rx_offload *offload);
void can_rx_offload_enable(struct can_rx_offload *offload);
void can_rx_offload_del(struct can_rx_offload *offload);
