/* Two threads that share a file may seek at the same time: file->f_pos is written without a lock. */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>

static loff_t seek_llseek(struct file *file, loff_t offset, int origin)
{
	if (origin == 1)
		offset += file->f_pos;
	if (offset < 0)
		return -EINVAL;
	file->f_pos = offset;
	return offset;
}

static const struct file_operations seek_fops = {
	.owner = THIS_MODULE,
	.llseek = seek_llseek,
};

static struct miscdevice seek_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "seek",
	.fops = &seek_fops,
};

module_misc_device(seek_misc);
MODULE_LICENSE("GPL");
