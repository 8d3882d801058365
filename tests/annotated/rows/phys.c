/* Members of the tables of transports, and what a chip's driver does through others: what they read and write. */
// verdict: potential
#include <linux/device.h>
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/skbuff.h>

struct nxp_nci_phy_ops {
	int (*set_mode)(void *phy_id, int mode);
	int (*write)(void *phy_id, struct sk_buff *skb);
};

struct s3fwrn5_phy_ops {
	void (*set_wake)(void *phy_id, bool wake);
	int (*write)(void *phy_id, struct sk_buff *skb);
};

struct st33zp24_phy_ops {
	int (*send)(void *phy_id, u8 at, u8 *data, int n);
	int (*recv)(void *phy_id, u8 at, u8 *data, int n);
};

struct pn544_hci_info {
	int (*fw_download)(void *phy_id, const char *name, u8 variant);
};

struct tpm_chip {
	struct device dev;
	const void *ops;
	unsigned int flags;
};

int tpm_pm_suspend(struct device *dev);
int tpm_pm_resume(struct device *dev);

static DEFINE_MUTEX(lock);
static u8 sent[4], received[4], kept[4];
static char name[8];

void demo_send(const struct nxp_nci_phy_ops *nxp, const struct s3fwrn5_phy_ops *s3, struct sk_buff *skb)
{
	nxp->set_mode(NULL, 1);
	s3->set_wake(NULL, true);
	nxp->write(NULL, skb); // RACE!
	s3->write(NULL, skb); // RACE!
}
EXPORT_SYMBOL(demo_send);

void demo_change(struct sk_buff *skb)
{
	skb->len = 0; // RACE!
}
EXPORT_SYMBOL(demo_change);

void demo_transfer(const struct st33zp24_phy_ops *ops, struct pn544_hci_info *info)
{
	ops->send(NULL, 1, sent, 4); // RACE!
	ops->recv(NULL, 1, received, 4); // RACE!
	info->fw_download(NULL, name, 1); // RACE!
	mutex_lock(&lock);
	ops->recv(NULL, 1, kept, 4); // NORACE
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_transfer);

int demo_fill(u8 with)
{
	int sum;

	sent[1] = with; // RACE!
	name[0] = with; // RACE!
	sum = received[0]; // RACE!
	mutex_lock(&lock);
	sum += kept[0]; // NORACE
	mutex_unlock(&lock);
	return sum;
}
EXPORT_SYMBOL(demo_fill);

void demo_sleep(struct device *dev, bool deep)
{
	if (deep)
		tpm_pm_suspend(dev); // RACE!
	else
		tpm_pm_resume(dev); // RACE!
}
EXPORT_SYMBOL(demo_sleep);

unsigned int demo_asleep(struct tpm_chip *chip)
{
	return chip->flags; // RACE!
}
EXPORT_SYMBOL(demo_asleep);
