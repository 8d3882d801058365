/* Pointers to functions on all ways that lead to a call: parameters, results, globals, fields, an exchange, memory
 * without a type, copies of bytes, numbers, and a table with an index. All are called without the lock. */
// verdict: potential
// inline-limit: 0
// assume: summary
// assume: indirect-call
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct demo {
	struct mutex lock;
	int passed, passed_on, returned, global, field, exchanged, untyped, copied, number, table;
};

typedef void (*demo_fn)(struct demo *);

static demo_fn in_global;
static demo_fn in_exchange;
static void *in_memory;
static demo_fn in_copy;
static demo_fn in_number;
static struct {
	int kind;
	demo_fn fn;
} in_field;

static void demo_passed(struct demo *demo)
{
	demo->passed++; // RACE!
}

static void demo_passed_on(struct demo *demo)
{
	demo->passed_on++; // RACE!
}

static void demo_returned(struct demo *demo)
{
	demo->returned++; // RACE!
}

static void demo_global(struct demo *demo)
{
	demo->global++; // RACE!
}

static void demo_field(struct demo *demo)
{
	demo->field++; // RACE!
}

static void demo_exchanged(struct demo *demo)
{
	demo->exchanged++; // RACE!
}

static void demo_untyped(struct demo *demo)
{
	demo->untyped++; // RACE!
}

static void demo_copied(struct demo *demo)
{
	demo->copied++; // RACE!
}

static void demo_number(struct demo *demo)
{
	demo->number++; // RACE!
}

static void demo_table(struct demo *demo)
{
	demo->table++; // RACE!
}

static const struct {
	int kind;
	demo_fn fn;
} table[] = { { 1, demo_table }, { 2, NULL }, { 3, demo_table } };

static noinline void call(struct demo *demo, demo_fn fn)
{
	fn(demo);
}

static noinline void pass_on(struct demo *demo, int times, demo_fn fn)
{
	for (int i = 0; i < times; i++)
		call(demo, fn);
}

static noinline demo_fn choose(int cmd)
{
	return cmd == 2 ? demo_returned : NULL;
}

static noinline void put(void **at, void *fn)
{
	*at = fn; // RACE!
}

static noinline void copy(demo_fn *to)
{
	demo_fn fn = demo_copied;

	memcpy(to, &fn, sizeof(fn)); // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;
	demo_fn fn = NULL;

	switch (cmd) {
	case 0:
		call(demo, demo_passed);
		break;
	case 1:
		pass_on(demo, arg, demo_passed_on);
		break;
	case 2:
		fn = choose(cmd);
		if (fn)
			fn(demo);
		break;
	case 3:
		fn = READ_ONCE(in_global);
		if (fn)
			fn(demo);
		break;
	case 4:
		fn = READ_ONCE(in_field.fn);
		if (fn)
			fn(demo);
		break;
	case 5:
		fn = xchg(&in_exchange, demo_exchanged);
		if (fn)
			fn(demo); // RACE: what code outside may have put there is called, too
		break;
	case 6:
		fn = (demo_fn)READ_ONCE(in_memory); // RACE!
		if (fn)
			fn(demo); // RACE: as above
		break;
	case 7:
		fn = READ_ONCE(in_copy); // RACE!
		if (fn)
			fn(demo); // RACE: as above
		break;
	case 8:
		fn = READ_ONCE(in_number);
		if (fn)
			fn(demo); // RACE: what was a number may lead out of the module
		break;
	case 9:
		fn = table[arg % 3].fn;
		if (fn)
			fn(demo);
		break;
	}
	return 0;
}

static int demo_open(struct inode *inode, struct file *file)
{
	WRITE_ONCE(in_global, demo_global);
	WRITE_ONCE(in_field.fn, demo_field);
	put(&in_memory, demo_untyped);
	copy(&in_copy);
	WRITE_ONCE(*(unsigned long *)&in_number, (unsigned long)demo_number);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.unlocked_ioctl = demo_ioctl,
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
