/* Counters of 64 bits: two operations are no race, one and a plain access are. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/atomic.h>

s64 atomic64_fetch_add(s64 i, atomic64_t *v);
s64 atomic64_fetch_sub(s64 i, atomic64_t *v);
s64 atomic64_fetch_and(s64 i, atomic64_t *v);
s64 atomic64_fetch_or(s64 i, atomic64_t *v);
s64 atomic64_fetch_xor(s64 i, atomic64_t *v);
s64 atomic64_inc_return(atomic64_t *v);
s64 atomic64_fetch_inc(atomic64_t *v);
bool atomic64_inc_and_test(atomic64_t *v);
s64 atomic64_add_return(s64 i, atomic64_t *v);
s64 atomic64_dec_return(atomic64_t *v);
s64 atomic64_fetch_dec(atomic64_t *v);
bool atomic64_dec_and_test(atomic64_t *v);
s64 atomic64_sub_return(s64 i, atomic64_t *v);
bool atomic64_sub_and_test(s64 i, atomic64_t *v);
bool atomic64_add_negative(s64 i, atomic64_t *v);
s64 atomic64_xchg(atomic64_t *v, s64 i);
s64 atomic64_cmpxchg(atomic64_t *v, s64 i, s64 new_value);
bool atomic64_try_cmpxchg(atomic64_t *v, s64 *old, s64 i);
void atomic64_sub(s64 i, atomic64_t *v);
void atomic64_and(s64 i, atomic64_t *v);
void atomic64_or(s64 i, atomic64_t *v);
void atomic64_xor(s64 i, atomic64_t *v);
void atomic64_set_release(atomic64_t *v, s64 i);
bool atomic64_add_unless(atomic64_t *v, s64 i, s64 new_value);
void atomic64_andnot(s64 i, atomic64_t *v);
s64 atomic64_read_acquire(const atomic64_t *v);

static atomic64_t shared, counted, assigned;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	atomic64_t *v = &shared;
	s64 five = 5;

	atomic64_fetch_add(2, v); // NORACE
	atomic64_fetch_sub(2, v); // NORACE
	atomic64_fetch_and(4, v); // NORACE
	atomic64_fetch_or(2, v); // NORACE
	atomic64_fetch_xor(1, v); // NORACE
	atomic64_inc_return(v); // NORACE
	atomic64_fetch_inc(v); // NORACE
	atomic64_inc_and_test(v); // NORACE
	atomic64_add_return(2, v); // NORACE
	atomic64_dec_return(v); // NORACE
	atomic64_fetch_dec(v); // NORACE
	atomic64_dec_and_test(v); // NORACE
	atomic64_sub_return(2, v); // NORACE
	atomic64_sub_and_test(5, v); // NORACE
	atomic64_add_negative(-6, v); // NORACE
	atomic64_xchg(v, 2); // NORACE
	atomic64_cmpxchg(v, 5, 2); // NORACE
	atomic64_try_cmpxchg(v, &five, 2); // NORACE
	atomic64_add(2, v); // NORACE
	atomic64_sub(2, v); // NORACE
	atomic64_and(4, v); // NORACE
	atomic64_or(2, v); // NORACE
	atomic64_xor(1, v); // NORACE
	atomic64_inc(v); // NORACE
	atomic64_dec(v); // NORACE
	atomic64_set(v, 2); // NORACE
	atomic64_set_release(v, 2); // NORACE
	atomic64_add_unless(v, 1, 2); // NORACE
	atomic64_andnot(1, v); // NORACE
	atomic64_read(v); // NORACE
	atomic64_read_acquire(v); // NORACE
	return 0;
}

/* Two functions: only so many races are told of a pair. */
static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	atomic64_t *v = &counted;

	atomic64_fetch_add(2, v); // RACE!
	atomic64_fetch_sub(2, v); // RACE!
	atomic64_fetch_and(4, v); // RACE!
	atomic64_fetch_or(2, v); // RACE!
	atomic64_fetch_xor(1, v); // RACE!
	atomic64_inc_return(v); // RACE!
	atomic64_fetch_inc(v); // RACE!
	atomic64_inc_and_test(v); // RACE!
	atomic64_add_return(2, v); // RACE!
	atomic64_dec_return(v); // RACE!
	atomic64_fetch_dec(v); // RACE!
	atomic64_dec_and_test(v); // RACE!
	atomic64_sub_return(2, v); // RACE!
	atomic64_sub_and_test(5, v); // RACE!
	return n;
}

static int demo_flush(struct file *file, void *id)
{
	atomic64_t *v = &counted;
	s64 five = 5;

	atomic64_add_negative(-6, v); // RACE!
	atomic64_xchg(v, 2); // RACE!
	atomic64_cmpxchg(v, 5, 2); // RACE!
	atomic64_try_cmpxchg(v, &five, 2); // RACE!
	atomic64_add(2, v); // RACE!
	atomic64_sub(2, v); // RACE!
	atomic64_and(4, v); // RACE!
	atomic64_or(2, v); // RACE!
	atomic64_xor(1, v); // RACE!
	atomic64_inc(v); // RACE!
	atomic64_dec(v); // RACE!
	atomic64_set(v, 2); // RACE!
	atomic64_set_release(v, 2); // RACE!
	atomic64_add_unless(v, 1, 2); // RACE!
	atomic64_andnot(1, v); // RACE!
	atomic64_read(v); // NORACE
	atomic64_read_acquire(v); // NORACE
	atomic64_read(&assigned); // RACE!
	atomic64_read_acquire(&assigned); // RACE!
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
