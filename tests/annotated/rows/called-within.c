/* Functions that are called before a call is over have the caller's locks, and get what it has said: an element, a number,
   data of its own. A function that is only compared or printed is not called. */
// verdict: potential
#include <linux/device.h>
#include <linux/idr.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/sort.h>

struct pipe_buffer { unsigned int offset, len; };
struct pipe_inode_info { unsigned int head, tail; struct pipe_buffer *bufs; };
struct splice_desc { size_t total_len; unsigned int len; loff_t pos; size_t num_spliced; bool need_wakeup; };
typedef int (*splice_fn)(struct pipe_inode_info *pipe, struct pipe_buffer *buffer, struct splice_desc *desc);
ssize_t __splice_from_pipe(struct pipe_inode_info *pipe, struct splice_desc *desc, splice_fn actor);
void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*compare)(const void *a, const void *b));
int idr_for_each(const struct idr *idr, int (*function)(int id, void *item, void *data), void *data);
struct match { int token; const char *pattern; };
struct text { char *from, *to; };
int match_token(char *text, const struct match *table, struct text args[]);
struct llist_node { struct llist_node *next; };
struct llist_head { struct llist_node *first; };
bool llist_add_batch(struct llist_node *first, struct llist_node *last, struct llist_head *head);
struct blk_plug { struct request *mq_list; unsigned short count; };
void blk_start_plug(struct blk_plug *plug);
void blk_finish_plug(struct blk_plug *plug);
struct block_device;
int bd_prepare_to_claim(struct block_device *device, void *holder);
void bd_abort_claiming(struct block_device *device, void *holder);

static DEFINE_MUTEX(lock);
static struct element { int key, seen; } sorted[4], unsorted[4];
static struct item { int count, shared; } items;
static struct { int compared, moved, walked, spliced, claimed; } counts;
static struct idr idr;
static struct pipe_inode_info *pipe;
static struct llist_head head;
static struct llist_node lasting;
static struct match table[2] = { { 1, "one" } };
static char word[8];
static struct blk_plug shared_plug;

static int demo_compare(const void *a, const void *b)
{
	const struct element *left = a, *right = b;

	counts.compared++; // NORACE
	return left->key - right->key; // NORACE
}

static void demo_move(void *a, void *b, int size)
{
	struct element *left = a;

	left->seen++; // NORACE
	counts.moved++; // NORACE
}

static int demo_compare_wrong(const void *a, const void *b)
{
	const struct element *right = b;

	return right->key; // RACE!
}

static int demo_each(int id, void *item, void *data)
{
	struct item *of = item;
	int *n = data;

	(*n)++; // NORACE
	of->count++; // NORACE
	of->shared++; // RACE!
	counts.walked++; // NORACE
	return 0;
}

static int demo_splice(struct pipe_inode_info *from, struct pipe_buffer *buffer, struct splice_desc *desc)
{
	desc->total_len--; // NORACE
	buffer->offset++; // NORACE
	counts.spliced++; // NORACE
	return buffer->len;
}

static void demo_never(void)
{
	counts.claimed++; // NORACE
}

static ssize_t one_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct splice_desc desc = { 4 };
	struct element key = { 1 };
	struct text parts[2];
	struct blk_plug plug = { 0 };
	struct llist_node *node = kzalloc(sizeof(*node), GFP_KERNEL);
	char *own = kzalloc(8, GFP_KERNEL);
	int n = 0;

	if (!node || !own)
		return -ENOMEM;
	match_token(own, table, parts); // NORACE
	match_token(word, table, parts); // RACE!
	llist_add_batch(node, node, &head); // NORACE
	llist_add_batch(&lasting, &lasting, &head); // RACE!
	blk_start_plug(&plug); // NORACE
	blk_finish_plug(&plug); // NORACE
	blk_start_plug(&shared_plug); // RACE!
	mutex_lock(&lock);
	sort(sorted, 4, sizeof(sorted[0]), demo_compare, demo_move); // NORACE
	bsearch(&key, sorted, 4, sizeof(sorted[0]), demo_compare); // NORACE
	idr_for_each(&idr, demo_each, &n); // NORACE
	__splice_from_pipe(pipe, &desc, demo_splice); // NORACE
	demo_never();
	if (!bd_prepare_to_claim(NULL, demo_never))
		bd_abort_claiming(NULL, demo_never);
	printk("%ps\n", demo_never);
	counts.compared = 0; // NORACE
	mutex_unlock(&lock);
	bsearch(&key, unsorted, 4, sizeof(unsorted[0]), demo_compare_wrong); // RACE!
	return n; // NORACE
}
static DEVICE_ATTR_RO(one);

static ssize_t other_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t n)
{
	mutex_lock(&lock);
	unsorted[1].key = n; // RACE!
	items.shared = n; // RACE!
	word[0] = buf[0]; // RACE!
	mutex_unlock(&lock);
	return n;
}

static ssize_t other_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return items.shared; // RACE!
}
static DEVICE_ATTR_RW(other);

static int demo_probe(struct platform_device *pdev)
{
	mutex_lock(&lock);
	idr_alloc(&idr, &items, 0, 0, GFP_KERNEL);
	mutex_unlock(&lock);
	device_create_file(&pdev->dev, &dev_attr_one);
	return device_create_file(&pdev->dev, &dev_attr_other);
}
static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
