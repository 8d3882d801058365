/* Functions that give back a place in a text or table that they were given: it is the caller's, and so are its races. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

unsigned long long memparse(const char *text, char **end);
void string_get_size(u64 size, u64 block, int units, char *buffer, int n);
char *file_path(struct file *file, char *buffer, int n);
void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*compare)(const void *a, const void *b));

static char amount[16], size[16], path[16], apart[16];
static struct { int key, value; } table[8];
static int key, compared;

static int demo_compare(const void *a, const void *b)
{
	compared++; // RACE!
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	char *rest, *name;
	int *found;

	switch (cmd) {
	case 0:
		memparse(amount, &rest); // RACE!
		return *rest; // RACE!
	case 1:
		string_get_size(arg, 1, 0, size, 16); // RACE!
		break;
	case 2:
		name = file_path(file, path, 16); // RACE!
		return IS_ERR(name) ? 0 : *name; // RACE!
	case 3:
		found = bsearch(&key, table, 8, 8, demo_compare); // RACE!
		return found ? found[1] : 0; // RACE!
	}
	return apart[0]; // NORACE
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	amount[0] = '1'; // RACE!
	size[0] = '1'; // RACE!
	path[0] = '1'; // RACE!
	table[0].value = 1; // RACE!
	key = 1; // RACE!
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
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
