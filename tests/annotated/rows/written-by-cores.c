/* Members of the kernel's structs that its functions write, under locks of their own or none. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/hrtimer.h>
#include <linux/phy.h>
#include <linux/usb.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/netdevice.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

u64 hrtimer_forward(struct hrtimer *timer, s64 now, s64 interval);
int netif_set_real_num_tx_queues(struct net_device *dev, unsigned int n);
int netif_set_real_num_rx_queues(struct net_device *dev, unsigned int n);
void netif_set_tso_max_size(struct net_device *dev, unsigned int size);
void netif_set_tso_max_segs(struct net_device *dev, unsigned int n);
void netdev_update_features(struct net_device *dev);
int dev_set_promiscuity(struct net_device *dev, int n);
int dev_set_allmulti(struct net_device *dev, int n);
int dev_open(struct net_device *dev, void *extack);
void device_set_wakeup_capable(struct device *dev, bool capable);
int device_init_wakeup(struct device *dev, bool enable);
int device_set_wakeup_enable(struct device *dev, bool enable);
struct sk_buff *skb_expand_head(struct sk_buff *skb, unsigned int room);

/* Elsewhere: any. */
struct net_device *demo_net(void);
struct phy_device *demo_phy(void);
struct device *demo_device(void);
struct usb_device *demo_usb(void);
struct usb_interface *demo_interface(void);
struct sk_buff *demo_buffer(void);

static struct timer_list timer;
static struct delayed_work work;
static struct hrtimer high, other;

static ssize_t demo_write(struct file *file, const char __user *text, size_t len, loff_t *pos)
{
	mod_timer(&timer, 10); // RACE!
	schedule_delayed_work(&work, 10); // RACE!
	hrtimer_start(&high, 10, 0); // RACE!
	hrtimer_forward(&other, 1, 10); // RACE!
	netif_set_real_num_tx_queues(demo_net(), 2); // RACE!
	netif_set_real_num_rx_queues(demo_net(), 2); // RACE!
	netif_set_tso_max_size(demo_net(), 10); // RACE!
	netif_set_tso_max_segs(demo_net(), 10); // RACE!
	netdev_update_features(demo_net()); // RACE!
	dev_set_promiscuity(demo_net(), 1); // RACE!
	dev_set_allmulti(demo_net(), 1); // RACE!
	dev_open(demo_net(), NULL); // RACE!
	device_set_wakeup_capable(demo_device(), true); // RACE!
	device_set_wakeup_enable(demo_device(), true); // RACE!
	device_init_wakeup(demo_device(), true); // RACE!
	phy_detach(demo_phy()); // RACE!
	usb_set_interface(demo_usb(), 0, 1); // RACE!
	return skb_expand_head(demo_buffer(), 10) ? len : -ENOMEM; // RACE!
}

static ssize_t demo_read(struct file *file, char __user *text, size_t len, loff_t *pos)
{
	struct net_device *net = demo_net();

	len = timer.expires; // RACE!
	len += work.timer.expires; // RACE!
	len += high.node.expires; // RACE!
	len += other.node.expires; // RACE!
	len += net->real_num_tx_queues; // RACE!
	len += net->real_num_rx_queues; // RACE!
	len += net->tso_max_size; // RACE!
	len += net->tso_max_segs; // RACE!
	len += net->gso_max_size; // RACE!
	len += READ_ONCE(net->gso_max_segs); // NORACE
	len += net->features; // RACE!
	len += net->flags; // RACE!
	len += net->promiscuity; // RACE!
	len += net->allmulti; // RACE!
	len += net->mtu; // NORACE
	len += net->phydev == NULL; // RACE!
	len += demo_device()->power.can_wakeup; // RACE!
	len += demo_device()->power.wakeup == NULL; // RACE!
	len += demo_interface()->cur_altsetting == NULL; // RACE!
	len += demo_interface()->num_altsetting; // NORACE
	len += demo_buffer()->len; // RACE!
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .write = demo_write, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
