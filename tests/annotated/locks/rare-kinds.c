/* Locks that drivers seldom take themselves: which exclude which, and on what results they are held. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct ww_mutex {
	struct mutex base;
};
struct ww_acquire_ctx;
int ww_mutex_lock(struct ww_mutex *lock, struct ww_acquire_ctx *ctx);
int ww_mutex_lock_interruptible(struct ww_mutex *lock, struct ww_acquire_ctx *ctx);
int ww_mutex_trylock(struct ww_mutex *lock, struct ww_acquire_ctx *ctx);
void ww_mutex_unlock(struct ww_mutex *lock);

struct rt_mutex {
	int owner;
};
void rt_mutex_lock(struct rt_mutex *lock);
int rt_mutex_lock_interruptible(struct rt_mutex *lock);
int rt_mutex_lock_killable(struct rt_mutex *lock);
int rt_mutex_trylock(struct rt_mutex *lock);
void rt_mutex_unlock(struct rt_mutex *lock);

struct percpu_rw_semaphore {
	int count;
};
void percpu_down_read(struct percpu_rw_semaphore *sem);
bool percpu_down_read_trylock(struct percpu_rw_semaphore *sem);
void percpu_up_read(struct percpu_rw_semaphore *sem);
void percpu_down_write(struct percpu_rw_semaphore *sem);
void percpu_up_write(struct percpu_rw_semaphore *sem);

void console_lock(void);
int console_trylock(void);
void console_unlock(void);
int rtnl_lock_killable(void);
void rtnl_unlock(void);

static struct ww_mutex ww;
static int by_ww, without_ww, after_ww;

static void with_ww(unsigned int cmd)
{
	int held = 0;

	switch (cmd) {
	case 0:
		held = !ww_mutex_lock(&ww, NULL);
		break;
	case 1:
		held = !ww_mutex_lock_interruptible(&ww, NULL);
		break;
	case 2:
		held = ww_mutex_trylock(&ww, NULL);
		break;
	}
	if (!held) {
		without_ww++; // RACE!
		return;
	}
	by_ww++; // NORACE
	ww_mutex_unlock(&ww);
	after_ww++; // RACE!
}

static struct rt_mutex rt;
static int by_rt, without_rt, after_rt;

static void with_rt(unsigned int cmd)
{
	int held = 1;

	switch (cmd) {
	case 0:
		rt_mutex_lock(&rt);
		break;
	case 1:
		held = !rt_mutex_lock_interruptible(&rt);
		break;
	case 2:
		held = !rt_mutex_lock_killable(&rt);
		break;
	default:
		held = rt_mutex_trylock(&rt);
		break;
	}
	if (!held) {
		without_rt++; // RACE!
		return;
	}
	by_rt++; // NORACE
	rt_mutex_unlock(&rt);
	after_rt++; // RACE!
}

static struct percpu_rw_semaphore percpu;
static int by_percpu, by_percpu_reader, without_percpu;

static int with_percpu(unsigned int cmd)
{
	int n = 0;

	switch (cmd) {
	case 0:
		percpu_down_read(&percpu);
		n = by_percpu; // NORACE
		by_percpu_reader++; // RACE!
		percpu_up_read(&percpu);
		break;
	case 1:
		if (!percpu_down_read_trylock(&percpu)) {
			without_percpu++; // RACE!
			break;
		}
		n = by_percpu; // NORACE
		percpu_up_read(&percpu);
		break;
	case 2:
		percpu_down_write(&percpu);
		by_percpu++; // NORACE
		percpu_up_write(&percpu);
		by_percpu_reader++; // RACE!
		break;
	}
	return n;
}

static int by_console, without_console, after_console, by_rtnl, without_rtnl, after_rtnl;

static void with_globals(unsigned int cmd)
{
	switch (cmd) {
	case 0:
		console_lock();
		by_console++; // NORACE
		console_unlock();
		after_console++; // RACE!
		break;
	case 1:
		if (!console_trylock()) {
			without_console++; // RACE!
			break;
		}
		by_console++; // NORACE
		console_unlock();
		break;
	case 2:
		if (rtnl_lock_killable()) {
			without_rtnl++; // RACE!
			break;
		}
		by_rtnl++; // NORACE
		rtnl_unlock();
		after_rtnl++; // RACE!
		break;
	}
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (arg) {
	case 0:
		with_ww(cmd);
		break;
	case 1:
		with_rt(cmd);
		break;
	case 2:
		return with_percpu(cmd);
	default:
		with_globals(cmd);
		break;
	}
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
