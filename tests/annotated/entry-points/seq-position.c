/* The position that start and next get is a member of the seq_file, which nobody else has. */
// verdict: race-free
// assume: call-owned
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/seq_file.h>

struct seq_operations {
	void *(*start)(struct seq_file *m, loff_t *pos);
	void (*stop)(struct seq_file *m, void *v);
	void *(*next)(struct seq_file *m, void *v, loff_t *pos);
	int (*show)(struct seq_file *m, void *v);
};

static const int table[4] = { 1, 2, 3, 4 };

static void *demo_start(struct seq_file *m, loff_t *pos)
{
	if (*pos >= 4) // NORACE
		return NULL;
	return (void *)&table[*pos];
}

static void *demo_next(struct seq_file *m, void *v, loff_t *pos)
{
	if (++*pos >= 4) // NORACE
		return NULL;
	return (void *)&table[*pos]; // NORACE
}

static void demo_stop(struct seq_file *m, void *v)
{
}

static int demo_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%d\n", *(const int *)v);
	return 0;
}

const struct seq_operations demo_ops = {
	.start = demo_start,
	.next = demo_next,
	.stop = demo_stop,
	.show = demo_show,
};
