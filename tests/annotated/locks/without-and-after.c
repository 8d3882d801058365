/* Locks that may not be had: what happens without the lock, with it, and after it was given back. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/i2c.h>
#include <linux/usb.h>
#include <linux/rwsem.h>
#include <linux/pci.h>

int rtnl_trylock(void);
void __rtnl_unlock(void);
struct ww_mutex {
	struct mutex base;
};
struct ww_acquire_ctx;
int ww_mutex_lock(struct ww_mutex *lock, struct ww_acquire_ctx *ctx);
int ww_mutex_trylock(struct ww_mutex *lock, struct ww_acquire_ctx *ctx);
void ww_mutex_unlock(struct ww_mutex *lock);
struct rt_mutex {
	int owner;
};
int rt_mutex_lock_killable(struct rt_mutex *lock);
int rt_mutex_trylock(struct rt_mutex *lock);
void rt_mutex_unlock(struct rt_mutex *lock);
int pci_dev_trylock(struct pci_dev *dev);
void pci_dev_unlock(struct pci_dev *dev);
int inode_trylock(struct inode *inode);
void inode_unlock(struct inode *inode);
int console_trylock(void);
void console_unlock(void);

static struct i2c_adapter adapter;
static struct usb_device udev;
static struct device device, other;
static struct tty_struct tty;
static DEFINE_MUTEX(mutex);
static DEFINE_MUTEX(second);
static DEFINE_SPINLOCK(spin);
static DEFINE_SPINLOCK(spin_bh);
static DEFINE_SPINLOCK(spin_irq);
static DEFINE_RWLOCK(rw);
static DECLARE_RWSEM(sem);
static DECLARE_RWSEM(sem_killable);
static struct ww_mutex ww, ww_try;
static struct rt_mutex rt, rt_try;
static struct pci_dev pci;
static struct inode node;

struct each {
	int i2c, reset, device, interrupted, tty, rtnl, mutex, killable;
	int spin, spin_bh, spin_irq, write, sem, sem_killable, read, read_sem, read_killable;
	int ww, ww_try, rt, rt_try, pci, inode, console;
};
static struct each without, with, after, readers;

static long demo_sleeping(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		if (!i2c_trylock_bus(&adapter, 0)) {
			without.i2c++; // RACE!
			break;
		}
		with.i2c++; // NORACE
		i2c_unlock_bus(&adapter, 0);
		after.i2c++; // RACE!
		break;
	case 1:
		if (usb_lock_device_for_reset(&udev, NULL)) {
			without.reset++; // RACE!
			break;
		}
		with.reset++; // NORACE
		usb_unlock_device(&udev);
		after.reset++; // RACE!
		break;
	case 2:
		if (!device_trylock(&device)) {
			without.device++; // RACE!
			break;
		}
		with.device++; // NORACE
		device_unlock(&device);
		after.device++; // RACE!
		break;
	case 3:
		if (device_lock_interruptible(&other)) {
			without.interrupted++; // RACE!
			break;
		}
		with.interrupted++; // NORACE
		device_unlock(&other);
		after.interrupted++; // RACE!
		break;
	case 4:
		if (tty_lock_interruptible(&tty)) {
			without.tty++; // RACE!
			break;
		}
		with.tty++; // NORACE
		tty_unlock(&tty);
		after.tty++; // RACE!
		break;
	case 5:
		if (!rtnl_trylock()) {
			without.rtnl++; // RACE!
			break;
		}
		with.rtnl++; // NORACE
		__rtnl_unlock();
		after.rtnl++; // RACE!
		break;
	case 6:
		if (!mutex_trylock(&mutex)) {
			without.mutex++; // RACE!
			break;
		}
		with.mutex++; // NORACE
		mutex_unlock(&mutex);
		after.mutex++; // RACE!
		break;
	case 7:
		if (mutex_lock_killable(&second)) {
			without.killable++; // RACE!
			break;
		}
		with.killable++; // NORACE
		mutex_unlock(&second);
		after.killable++; // RACE!
		break;
	}
	return 0;
}

static long demo_spinning(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		if (!spin_trylock(&spin)) {
			without.spin++; // RACE!
			break;
		}
		with.spin++; // NORACE
		spin_unlock(&spin);
		after.spin++; // RACE!
		break;
	case 1:
		if (!spin_trylock_bh(&spin_bh)) {
			without.spin_bh++; // RACE!
			break;
		}
		with.spin_bh++; // NORACE
		spin_unlock_bh(&spin_bh);
		after.spin_bh++; // RACE!
		break;
	case 2:
		if (!spin_trylock_irq(&spin_irq)) {
			without.spin_irq++; // RACE!
			break;
		}
		with.spin_irq++; // NORACE
		spin_unlock_irq(&spin_irq);
		after.spin_irq++; // RACE!
		break;
	case 3:
		if (!write_trylock(&rw)) {
			without.write++; // RACE!
			break;
		}
		with.write++; // NORACE
		write_unlock(&rw);
		after.write++; // RACE!
		break;
	case 4:
		if (!down_write_trylock(&sem)) {
			without.sem++; // RACE!
			break;
		}
		with.sem++; // NORACE
		up_write(&sem);
		after.sem++; // RACE!
		break;
	case 5:
		if (down_write_killable(&sem_killable)) {
			without.sem_killable++; // RACE!
			break;
		}
		with.sem_killable++; // NORACE
		up_write(&sem_killable);
		after.sem_killable++; // RACE!
		break;
	}
	return 0;
}

static int demo_rare(struct file *file, void *id)
{
	switch ((unsigned long)id) {
	case 0:
		if (ww_mutex_lock(&ww, NULL)) {
			without.ww++; // RACE!
			break;
		}
		with.ww++; // NORACE
		ww_mutex_unlock(&ww);
		after.ww++; // RACE!
		break;
	case 1:
		if (!ww_mutex_trylock(&ww_try, NULL)) {
			without.ww_try++; // RACE!
			break;
		}
		with.ww_try++; // NORACE
		ww_mutex_unlock(&ww_try);
		after.ww_try++; // RACE!
		break;
	case 2:
		if (rt_mutex_lock_killable(&rt)) {
			without.rt++; // RACE!
			break;
		}
		with.rt++; // NORACE
		rt_mutex_unlock(&rt);
		after.rt++; // RACE!
		break;
	case 3:
		if (!rt_mutex_trylock(&rt_try)) {
			without.rt_try++; // RACE!
			break;
		}
		with.rt_try++; // NORACE
		rt_mutex_unlock(&rt_try);
		after.rt_try++; // RACE!
		break;
	case 4:
		if (!pci_dev_trylock(&pci)) {
			without.pci++; // RACE!
			break;
		}
		with.pci++; // NORACE
		pci_dev_unlock(&pci);
		after.pci++; // RACE!
		break;
	case 5:
		if (!inode_trylock(&node)) {
			without.inode++; // RACE!
			break;
		}
		with.inode++; // NORACE
		inode_unlock(&node);
		after.inode++; // RACE!
		break;
	case 6:
		if (!console_trylock()) {
			without.console++; // RACE!
			break;
		}
		with.console++; // NORACE
		console_unlock();
		after.console++; // RACE!
		break;
	}
	return 0;
}

/* Readers keep writers out, but not each other. */
static int demo_readers(struct file *file, loff_t start, loff_t end, int cmd)
{
	int n = 0;

	switch (cmd) {
	case 0:
		if (!read_trylock(&rw)) {
			without.read++; // RACE!
			break;
		}
		n = with.read; // NORACE
		readers.read++; // RACE!
		read_unlock(&rw);
		n += after.read; // RACE!
		break;
	case 1:
		write_lock(&rw);
		with.read++; // NORACE
		after.read++; // RACE!
		without.read++; // RACE!
		write_unlock(&rw);
		break;
	case 2:
		if (!down_read_trylock(&sem)) {
			without.read_sem++; // RACE!
			break;
		}
		n = with.read_sem; // NORACE
		readers.read_sem++; // RACE!
		up_read(&sem);
		n += after.read_sem; // RACE!
		break;
	case 3:
		down_write(&sem);
		with.read_sem++; // NORACE
		after.read_sem++; // RACE!
		without.read_sem++; // RACE!
		up_write(&sem);
		break;
	case 4:
		if (down_read_killable(&sem_killable)) {
			without.read_killable++; // RACE!
			break;
		}
		n = with.read_killable; // NORACE
		readers.read_killable++; // RACE!
		up_read(&sem_killable);
		n += after.read_killable; // RACE!
		break;
	case 5:
		down_write(&sem_killable);
		with.read_killable++; // NORACE
		after.read_killable++; // RACE!
		without.read_killable++; // RACE!
		up_write(&sem_killable);
		break;
	}
	return n;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_sleeping,
	.compat_ioctl = demo_spinning,
	.fsync = demo_readers,
	.flush = demo_rare,
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
