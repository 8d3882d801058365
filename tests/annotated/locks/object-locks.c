/* Locks of the kernel's objects: devices on PCI, inodes, sockets. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/pci.h>
#include <net/sock.h>

void lock_sock_nested(struct sock *sk, int subclass);
bool __lock_sock_fast(struct sock *sk);

void pci_dev_lock(struct pci_dev *dev);
int pci_dev_trylock(struct pci_dev *dev);
void pci_dev_unlock(struct pci_dev *dev);

void inode_lock(struct inode *inode);
int inode_trylock(struct inode *inode);
void inode_unlock(struct inode *inode);
void inode_lock_shared(struct inode *inode);
void inode_unlock_shared(struct inode *inode);

static struct sock sock;
static int by_sock, without_sock;

static void with_sock(unsigned int cmd)
{
	bool slow;

	switch (cmd) {
	case 0:
		lock_sock_nested(&sock, 1);
		by_sock++; // NORACE
		release_sock(&sock);
		without_sock++; // RACE!
		break;
	case 1:
		slow = __lock_sock_fast(&sock);
		by_sock++; // NORACE
		unlock_sock_fast(&sock, slow);
		without_sock++; // RACE!
		break;
	}
}

static struct pci_dev device;
static int by_device, without_device, after_device;

static void with_device(unsigned int cmd)
{
	switch (cmd) {
	case 0:
		pci_dev_lock(&device);
		break;
	case 1:
		if (!pci_dev_trylock(&device)) {
			without_device++; // RACE!
			return;
		}
		break;
	default:
		device_lock(&device.dev);
		by_device++; // NORACE
		device_unlock(&device.dev);
		return;
	}
	by_device++; // NORACE
	pci_dev_unlock(&device);
	after_device++; // RACE!
}

static struct inode node;
static int by_inode, by_reader, without_inode, after_inode;

static int with_inode(unsigned int cmd)
{
	int n = 0;

	switch (cmd) {
	case 0:
		inode_lock(&node);
		break;
	case 1:
		if (!inode_trylock(&node)) {
			without_inode++; // RACE!
			return 0;
		}
		break;
	default:
		inode_lock_shared(&node);
		n = by_inode; // NORACE
		by_reader++; // RACE!
		inode_unlock_shared(&node);
		return n;
	}
	by_inode++; // NORACE
	inode_unlock(&node);
	after_inode++; // RACE!
	return n;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (arg) {
	case 0:
		with_sock(cmd);
		return 0;
	case 1:
		with_device(cmd);
		return 0;
	}
	return with_inode(cmd);
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
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
