/* Structures of the library: which functions change them without a lock of their own, and what goes in or comes out. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/idr.h>
#include <linux/xarray.h>
#include <linux/kfifo.h>
#include <linux/sort.h>

unsigned int __kfifo_out_peek(struct __kfifo *fifo, void *buf, unsigned int n);
int __kfifo_from_user(struct __kfifo *fifo, const void __user *from, unsigned long n, unsigned int *copied);
int __kfifo_to_user(struct __kfifo *fifo, void __user *to, unsigned long n, unsigned int *copied);
void *idr_get_next(struct idr *idr, int *id);
void idr_destroy(struct idr *idr);
void *xa_find(struct xarray *xa, unsigned long *index, unsigned long max, unsigned int filter);
void rational_best_approximation(unsigned long n, unsigned long d, unsigned long max_n, unsigned long max_d,
				 unsigned long *best_n, unsigned long *best_d);

static char same[32], changed[32], out[4][32];

static struct __kfifo in_fifo, out_fifo, from_fifo, to_fifo;
static unsigned int copied[2];

static long demo_fifos(struct file *file, unsigned int cmd, unsigned long arg)
{
	char own[32] = "", buffer[32] = "";
	struct __kfifo mine = { .data = buffer };
	unsigned int n;

	switch (cmd) {
	case 0:
		__kfifo_in(&in_fifo, same, 4); // RACE!
		__kfifo_out(&out_fifo, own, 4); // RACE!
		__kfifo_out_peek(&in_fifo, own, 4); // RACE!
		__kfifo_out_peek(&mine, own, 4); // NORACE
		__kfifo_from_user(&from_fifo, (void __user *)arg, 4, &n); // RACE!
		__kfifo_to_user(&to_fifo, (void __user *)arg, 4, &n); // RACE!
		break;
	case 1:
		__kfifo_out_peek(&mine, out[0], 4); // RACE!
		__kfifo_from_user(&mine, (void __user *)arg, 4, &copied[0]); // RACE!
		__kfifo_to_user(&mine, (void __user *)arg, 4, &copied[1]); // RACE!
		break;
	}
	return 0;
}

static struct idr only_read, removed, next, destroyed;
static struct xarray array;
static int id;
static unsigned long index, best[2];

static long demo_trees(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned long i = 0;
	int n = 0;

	switch (cmd) {
	case 0:
		idr_find(&only_read, 1); // NORACE
		idr_get_next(&only_read, &n); // NORACE
		idr_get_next(&next, &id); // RACE!
		idr_remove(&removed, 1); // RACE!
		idr_destroy(&destroyed); // RACE!
		break;
	case 1:
		xa_load(&array, 1); // NORACE
		xa_store(&array, 1, NULL, GFP_KERNEL); // NORACE
		xa_erase(&array, 1); // NORACE
		xa_find(&array, &i, 9, 0); // NORACE
		xa_find(&array, &index, 9, 0); // RACE!
		break;
	case 2:
		rational_best_approximation(1, 2, 3, 4, &best[0], &i); // RACE!
		rational_best_approximation(1, 2, 3, 4, &i, &best[1]); // RACE!
		break;
	}
	return 0;
}

static int compared, swapped;

static int compare(const void *a, const void *b)
{
	return compared++; // RACE!
}

static void swap(void *a, void *b, int size)
{
	swapped++; // RACE!
}

static int demo_sort(struct file *file, void *id)
{
	char own[32] = "";

	sort(own, 4, 8, compare, swap); // NORACE
	sort(out[1], 4, 8, NULL, NULL); // RACE!
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct __kfifo own = { .data = out[2] };

	__kfifo_in(&own, changed, 4); // RACE!
	changed[0] = 1; // RACE!
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_fifos,
	.compat_ioctl = demo_trees,
	.flush = demo_sort,
	.write = demo_write,
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
