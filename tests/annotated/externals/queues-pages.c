/* Queues of virtio, lists of pages, addresses of a bus, AGP: what they change, and that they leave the rest alone. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct page { unsigned long flags; };
struct scatterlist { unsigned long page_link; unsigned int offset, length; };
struct sg_table { struct scatterlist *sgl; unsigned int nents, orig_nents; };
struct virtqueue { unsigned int index, num_free; void *priv; };
struct pci_bus_region { u64 start, end; };
struct resource { u64 start, end; const char *name; };
struct agp_bridge_data { void *driver, *scratch_page_page; unsigned long *key_list; struct list_head list; u32 mode; };
int virtqueue_add_sgs(struct virtqueue *vq, struct scatterlist **lists, unsigned int out, unsigned int in, void *token,
		      gfp_t flags);
void *virtqueue_get_buf(struct virtqueue *vq, unsigned int *n);
bool virtqueue_kick(struct virtqueue *vq);
bool virtqueue_notify(struct virtqueue *vq);
int sg_alloc_table(struct sg_table *table, unsigned int n, gfp_t flags);
void sg_free_table(struct sg_table *table);
int set_pages_array_uc(struct page **pages, int n);
int set_pages_uc(struct page *page, int n);
void pcibios_resource_to_bus(void *bus, struct pci_bus_region *region, struct resource *resource);
void global_cache_flush(void);
struct page *agp_generic_alloc_page(struct agp_bridge_data *bridge);
void agp_generic_destroy_page(struct page *page, int flags);
void agp_remove_bridge(struct agp_bridge_data *bridge);

struct command {
	struct scatterlist list;
	int result;
};
static struct virtqueue *locked, *open, *fetched, *kicked;
static DEFINE_SPINLOCK(lock);

static long demo_queues(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct scatterlist *lists[1];
	struct command *command;
	unsigned int n;

	switch (cmd) {
	case 0:
		command = kzalloc(sizeof(*command), GFP_KERNEL);
		if (!command)
			return -ENOMEM;
		lists[0] = &command->list;
		command->result = 1; // NORACE
		spin_lock(&lock);
		virtqueue_add_sgs(locked, lists, 1, 0, command, GFP_ATOMIC); // RACE: what code outside writes into structs that this file declares may be any pointer
		virtqueue_kick(locked); // NORACE
		spin_unlock(&lock);
		virtqueue_notify(locked); // NORACE
		command->result = 2; // RACE!
		break;
	case 1:
		spin_lock(&lock);
		command = virtqueue_get_buf(locked, &n); // NORACE
		spin_unlock(&lock);
		return command ? command->result : n; // RACE!
	case 2:
		virtqueue_add_sgs(open, lists, 0, 0, NULL, GFP_ATOMIC); // RACE!
		break;
	case 3:
		virtqueue_get_buf(fetched, &n); // RACE!
		break;
	case 4:
		virtqueue_kick(kicked); // RACE!
		break;
	}
	return locked->index + open->index + fetched->index; // NORACE
}

static struct sg_table filled, ended;
static struct page **pages;
static struct pci_bus_region region;
static struct resource window, changed;
static struct agp_bridge_data *bridge;
static struct page *scratch;

static long demo_pages(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct pci_bus_region own;
	struct sg_table table;

	switch (cmd) {
	case 0:
		if (sg_alloc_table(&table, 4, GFP_KERNEL))
			return -ENOMEM;
		table.sgl[0].length = 1; // NORACE
		sg_free_table(&table); // NORACE
		return sg_alloc_table(&filled, 4, GFP_KERNEL); // RACE!
	case 1:
		sg_free_table(&ended); // RACE!
		break;
	case 2:
		set_pages_array_uc(pages, 4); // RACE!
		set_pages_uc(pages[1], 1); // NORACE
		break;
	case 3:
		pcibios_resource_to_bus(NULL, &own, &window); // NORACE
		pcibios_resource_to_bus(NULL, &own, &changed); // RACE!
		pcibios_resource_to_bus(NULL, &region, &window); // RACE!
		return own.start; // NORACE
	case 4:
		global_cache_flush(); // NORACE
		scratch = agp_generic_alloc_page(bridge); // RACE!
		break;
	case 5:
		agp_generic_destroy_page(scratch, 1); // RACE!
		break;
	case 6:
		agp_remove_bridge(bridge); // RACE!
		break;
	}
	return window.start; // NORACE
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	if (region.start) // RACE!
		return filled.nents + ended.orig_nents; // RACE!
	if (scratch) // RACE!
		return scratch->flags; // RACE!
	return bridge->mode; // RACE: nothing says what the functions of the bridge are that the core calls
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	changed.start = 1; // RACE!
	pages[0] = NULL; // RACE!
	bridge->key_list = NULL; // RACE!
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_queues,
	.compat_ioctl = demo_pages,
	.read = demo_read,
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
