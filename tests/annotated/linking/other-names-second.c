/* The other half of other-names-first.c. */
// with: other-names-first.c
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>

struct demo {
	int x;
	int y;
};

ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos);

ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = file->private_data;

	return demo->y; // MISSED: structs are the same by tag and members
}
