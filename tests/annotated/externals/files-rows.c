/* Helpers of files and memory that change what they are given: positions, private data, modes, mappings, lists. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/kfifo.h>

struct timespec64 {
	time64_t tv_sec;
	long tv_nsec;
};
struct scatterlist {
	unsigned long page_link;
};
ssize_t seq_read(struct file *file, char __user *buf, size_t size, loff_t *pos);
int stream_open(struct inode *inode, struct file *file);
int request_firmware(const void **firmware, const char *name, struct device *dev);
void ktime_get_real_ts64(struct timespec64 *ts);
int remap_pfn_range(struct vm_area_struct *vma, unsigned long address, unsigned long pfn, unsigned long size,
		    unsigned long prot);
void sg_init_one(struct scatterlist *sg, const void *buf, unsigned int n);
unsigned int dma_map_sg_attrs(struct device *dev, struct scatterlist *sg, int n, int direction, unsigned long attrs);
void print_hex_dump(const char *level, const char *prefix, int type, int row, int group, const void *buf, size_t n,
		    bool ascii);
int seq_write(struct seq_file *m, const void *data, size_t n);
int match_string(const char *const *array, size_t n, const char *text);
void *memset(void *s, int c, size_t n);
void *memcpy(void *dst, const void *src, size_t n);
int __kfifo_init(struct __kfifo *fifo, void *buffer, unsigned int size, size_t element);

static char same[32], changed[32], out[2][32];
static const char *const words[] = { "a", "b" };
static char buffer[32];
static loff_t position;
static const void *firmware;
static struct timespec64 now;
static struct scatterlist list[2];
static struct __kfifo made, initialized, freed;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct scatterlist mine;
	char own[32];

	switch (cmd) {
	case 0:
		seq_read(file, (char __user *)arg, 4, &position); // RACE!
		request_firmware(&firmware, "demo", NULL); // RACE!
		ktime_get_real_ts64(&now); // RACE!
		break;
	case 1:
		sg_init_one(&mine, same, 4); // NORACE
		sg_init_one(&list[0], same, 4); // RACE!
		dma_map_sg_attrs(NULL, &mine, 1, 0, 0); // NORACE
		dma_map_sg_attrs(NULL, &list[1], 1, 0, 0); // RACE!
		break;
	case 2:
		print_hex_dump("", "", 0, 16, 1, same, 4, false); // NORACE
		print_hex_dump("", "", 0, 16, 1, changed, 4, false); // RACE!
		seq_write(NULL, same, 4); // NORACE
		seq_write(NULL, changed, 4); // RACE!
		match_string(words, 2, same); // NORACE
		match_string(words, 2, changed); // RACE!
		break;
	case 3:
		memset(own, 0, 4); // NORACE
		memset(out[0], 0, 4); // RACE!
		memcpy(own, same, 4); // NORACE
		memcpy(out[1], same, 4); // RACE!
		memcpy(own, changed, cmd); // RACE!
		break;
	}
	return own[0];
}

static long demo_fifos(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct __kfifo own = { .in = 0 };

	switch (cmd) {
	case 0:
		__kfifo_alloc(&made, 32, 1, GFP_KERNEL); // RACE!
		break;
	case 1:
		__kfifo_init(&initialized, buffer, 32, 1); // RACE!
		break;
	case 2:
		__kfifo_free(&freed); // RACE!
		break;
	case 3:
		if (!__kfifo_alloc(&own, 32, 1, GFP_KERNEL)) {
			__kfifo_in(&own, same, 4); // NORACE
			__kfifo_free(&own); // NORACE
		}
		break;
	}
	return 0;
}

/* Others do not have the file yet, and nobody the mapping that mmap gets; another, that was kept, may have others. */
static struct vm_area_struct *kept;

static int demo_open(struct inode *inode, struct file *file)
{
	return stream_open(inode, file); // NORACE
}

static int demo_mmap(struct file *file, struct vm_area_struct *vma)
{
	if (file->f_mode & 1) // NORACE
		return -EINVAL;
	if (remap_pfn_range(vma, vma->vm_start, vma->vm_pgoff, 4096, 0)) // NORACE
		return -EINVAL;
	vma = READ_ONCE(kept);
	return vma ? remap_pfn_range(vma, 0, 0, 4096, 0) : 0; // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	changed[0] = 1; // RACE!
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.mmap = demo_mmap,
	.unlocked_ioctl = demo_ioctl,
	.compat_ioctl = demo_fifos,
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
