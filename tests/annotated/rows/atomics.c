/* Counters of 32 bits: two operations are no race, one and a plain access are. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/atomic.h>

int atomic_fetch_sub(int i, atomic_t *v);
int atomic_fetch_and(int i, atomic_t *v);
int atomic_fetch_or(int i, atomic_t *v);
int atomic_fetch_xor(int i, atomic_t *v);
int atomic_fetch_inc(atomic_t *v);
int atomic_fetch_dec(atomic_t *v);
int atomic_sub_return(int i, atomic_t *v);
bool atomic_add_negative(int i, atomic_t *v);
bool atomic_try_cmpxchg(atomic_t *v, int *old, int i);
void atomic_and(int i, atomic_t *v);
void atomic_or(int i, atomic_t *v);
void atomic_xor(int i, atomic_t *v);
void atomic_set_release(atomic_t *v, int i);
void atomic_andnot(int i, atomic_t *v);
int atomic_read_acquire(const atomic_t *v);

static atomic_t shared, counted, assigned;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	atomic_t *v = &shared;
	int five = 5;

	atomic_fetch_add(2, v); // NORACE
	atomic_fetch_sub(2, v); // NORACE
	atomic_fetch_and(4, v); // NORACE
	atomic_fetch_or(2, v); // NORACE
	atomic_fetch_xor(1, v); // NORACE
	atomic_inc_return(v); // NORACE
	atomic_fetch_inc(v); // NORACE
	atomic_inc_and_test(v); // NORACE
	atomic_add_return(2, v); // NORACE
	atomic_dec_return(v); // NORACE
	atomic_fetch_dec(v); // NORACE
	atomic_dec_and_test(v); // NORACE
	atomic_sub_return(2, v); // NORACE
	atomic_sub_and_test(5, v); // NORACE
	atomic_add_negative(-6, v); // NORACE
	atomic_xchg(v, 2); // NORACE
	atomic_cmpxchg(v, 5, 2); // NORACE
	atomic_try_cmpxchg(v, &five, 2); // NORACE
	atomic_add(2, v); // NORACE
	atomic_sub(2, v); // NORACE
	atomic_and(4, v); // NORACE
	atomic_or(2, v); // NORACE
	atomic_xor(1, v); // NORACE
	atomic_inc(v); // NORACE
	atomic_dec(v); // NORACE
	atomic_set(v, 2); // NORACE
	atomic_set_release(v, 2); // NORACE
	atomic_add_unless(v, 1, 2); // NORACE
	atomic_andnot(1, v); // NORACE
	atomic_read(v); // NORACE
	atomic_read_acquire(v); // NORACE
	return 0;
}

/* Two functions: only so many races are told of a pair. */
static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	atomic_t *v = &counted;

	atomic_fetch_add(2, v); // RACE!
	atomic_fetch_sub(2, v); // RACE!
	atomic_fetch_and(4, v); // RACE!
	atomic_fetch_or(2, v); // RACE!
	atomic_fetch_xor(1, v); // RACE!
	atomic_inc_return(v); // RACE!
	atomic_fetch_inc(v); // RACE!
	atomic_inc_and_test(v); // RACE!
	atomic_add_return(2, v); // RACE!
	atomic_dec_return(v); // RACE!
	atomic_fetch_dec(v); // RACE!
	atomic_dec_and_test(v); // RACE!
	atomic_sub_return(2, v); // RACE!
	atomic_sub_and_test(5, v); // RACE!
	return n;
}

static int demo_flush(struct file *file, void *id)
{
	atomic_t *v = &counted;
	int five = 5;

	atomic_add_negative(-6, v); // RACE!
	atomic_xchg(v, 2); // RACE!
	atomic_cmpxchg(v, 5, 2); // RACE!
	atomic_try_cmpxchg(v, &five, 2); // RACE!
	atomic_add(2, v); // RACE!
	atomic_sub(2, v); // RACE!
	atomic_and(4, v); // RACE!
	atomic_or(2, v); // RACE!
	atomic_xor(1, v); // RACE!
	atomic_inc(v); // RACE!
	atomic_dec(v); // RACE!
	atomic_set(v, 2); // RACE!
	atomic_set_release(v, 2); // RACE!
	atomic_add_unless(v, 1, 2); // RACE!
	atomic_andnot(1, v); // RACE!
	atomic_read(v); // NORACE
	atomic_read_acquire(v); // NORACE
	atomic_read(&assigned); // RACE!
	atomic_read_acquire(&assigned); // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	assigned.counter = 1; // RACE!
	return counted.counter; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.write = demo_write,
	.flush = demo_flush,
	.read = demo_read,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
