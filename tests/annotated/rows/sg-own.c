/* Who goes over a list with a buffer of his own in it writes that buffer. */
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
void sg_init_one(struct scatterlist *list, const void *buffer, unsigned int size);
void sg_miter_start(struct sg_mapping_iter *iter, struct scatterlist *list, unsigned int n, unsigned int flags);
bool sg_miter_next(struct sg_mapping_iter *iter);
size_t sg_copy_from_buffer(struct scatterlist *list, unsigned int n, const void *buffer, size_t size);
size_t sg_copy_to_buffer(struct scatterlist *list, unsigned int n, void *buffer, size_t size);

static char bytes[16], other[16], copied[16], taken[16];
static DEFINE_MUTEX(lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct sg_mapping_iter iter;
	struct scatterlist list;
	char text[4];

	mutex_lock(&lock);
	sg_init_one(&list, bytes, sizeof(bytes));
	sg_miter_start(&iter, &list, 1, 1);
	if (sg_miter_next(&iter))
		*(char *)iter.addr = cmd; // RACE!
	sg_init_one(&list, copied, sizeof(copied));
	sg_copy_from_buffer(&list, 1, "text", 4); // RACE!
	sg_init_one(&list, taken, sizeof(taken));
	sg_copy_to_buffer(&list, 1, text, 4); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	taken[0] = len; // RACE!
	return bytes[0] + // RACE!
		copied[0] + // RACE!
		other[0]; // NORACE
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
