/* A socket is owned, or its spinlock is held: either keeps the other out. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

#include <net/sock.h>

static struct sock the_sock;
#define sk (&the_sock)
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	bool slow;

	if (cmd) {
		lock_sock(sk);
		events++; // NORACE
		release_sock(sk);
		return 0;
	}
	slow = lock_sock_fast(sk);
	events++; // NORACE
	unlock_sock_fast(sk, slow);
	return 0;
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
