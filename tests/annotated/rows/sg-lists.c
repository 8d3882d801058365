/* Who goes over a list of memory reads it and moves his own iterator; a copy reads or writes the buffer, and the list is another's. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct page;
struct scatterlist { unsigned long page_link; unsigned int offset, length; };
struct sg_page_iter { struct scatterlist *sg; unsigned int sg_pgoffset, __nents; int __pg_advance; };
struct sg_mapping_iter {
	struct page *page;
	void *addr;
	size_t length, consumed;
	struct sg_page_iter piter;
	unsigned int __offset, __remaining, __flags;
};
void sg_miter_start(struct sg_mapping_iter *iter, struct scatterlist *list, unsigned int n, unsigned int flags);
bool sg_miter_next(struct sg_mapping_iter *iter);
void sg_miter_stop(struct sg_mapping_iter *iter);
size_t sg_copy_from_buffer(struct scatterlist *list, unsigned int n, const void *buffer, size_t size);
size_t sg_copy_to_buffer(struct scatterlist *list, unsigned int n, void *buffer, size_t size);

struct demo { int ready; char from[8], to[8]; };

extern struct scatterlist *demo_list(void);
static struct demo demo;
static struct scatterlist own[2];
static struct sg_mapping_iter shared;
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct sg_mapping_iter iter;

	mutex_lock(&lock);
	sg_miter_start(&iter, own, 2, 1);
	while (sg_miter_next(&iter)) { // RACE!
		*(char *)iter.addr = cmd; // RACE: that the bytes of a list are not the list itself is not known
		iter.consumed = 1; // NORACE
	}
	sg_miter_stop(&iter); // NORACE
	sg_miter_next(&shared); // RACE!
	sg_miter_stop(&shared); // RACE!
	sg_copy_from_buffer(demo_list(), 1, demo.from, 4); // RACE!
	sg_copy_to_buffer(demo_list(), 1, demo.to, 4); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&state_lock);
	demo.ready = demo.from[0]; // NORACE
	demo.from[7] = len; // NORACE
	demo.to[7] = len; // NORACE
	own[1].length = len; // RACE!
	len += shared.consumed; // RACE!
	shared.__flags = len; // RACE!
	demo.from[1] = len; // RACE!
	len += demo.to[1]; // RACE!
	demo_list()->length = len; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
