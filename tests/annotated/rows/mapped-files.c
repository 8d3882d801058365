/* The mapping that mmap gets is not known yet; what the module has, others map, too. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int maps;

static int demo_mmap(struct file *file, struct vm_area_struct *vma)
{
	vma->vm_flags |= 1; // NORACE
	vma->vm_private_data = &maps; // NORACE
	maps++; // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.mmap = demo_mmap,
};

static struct miscdevice demo_misc = {
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
