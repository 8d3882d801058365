/* Files and block devices that a driver opens, zsmalloc, compression: what they fill, and that they leave the rest alone. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/blkdev.h>

struct path { void *mnt, *dentry; };
struct kstatfs { long f_type, f_bsize; };
struct kstat { u32 mode; loff_t size; };
struct zs_pool;
struct zs_pool_stats { long pages_compacted; };
struct crypto_comp { int refcount; };
void fput(struct file *file);
struct file *fget(unsigned int number);
struct file *filp_open(const char *name, int flags, umode_t mode);
int filp_close(struct file *file, void *id);
int vfs_fsync(struct file *file, int datasync);
void path_get(const struct path *path);
int vfs_statfs(const struct path *path, struct kstatfs *result);
int vfs_getattr(const struct path *path, struct kstat *result, u32 mask, unsigned int flags);
struct zs_pool *zs_create_pool(const char *name);
void zs_pool_stats(struct zs_pool *pool, struct zs_pool_stats *result);
void *crypto_alloc_base(const char *name, u32 type, u32 mask);
void crypto_destroy_tfm(void *memory, void *transform);
int crypto_comp_compress(struct crypto_comp *tfm, const u8 *from, unsigned int n, u8 *to, unsigned int *m);

static struct file *backing;
static struct block_device *device;
static struct path path, moved;
static char names[3][16];
static u8 plain[16], changed[16], packed[16];
static unsigned int length;
static struct crypto_comp *transform, *shared, *ended;
static struct zs_pool_stats stats;
static struct kstatfs space;
static struct kstat size;
static int holder;

static long demo_files(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct file *other = fget(arg);
	struct kstatfs own_space;
	struct kstat own_size;

	switch (cmd) {
	case 0:
		vfs_fsync(backing, 0); // NORACE
		fput(other); // NORACE
		filp_close(other, NULL); // NORACE
		return backing->f_flags; // NORACE
	case 1:
		return IS_ERR(filp_open(names[0], 0, 0)); // RACE!
	case 2:
		path_get(&path); // NORACE
		path_get(&moved); // RACE!
		vfs_statfs(&path, &own_space); // NORACE
		vfs_statfs(&moved, &own_space); // RACE!
		vfs_statfs(&path, &space); // RACE!
		return own_space.f_type; // NORACE
	case 3:
		vfs_getattr(&path, &own_size, 0, 0); // NORACE
		vfs_getattr(&moved, &own_size, 0, 0); // RACE!
		vfs_getattr(&path, &size, 0, 0); // RACE!
		return own_size.mode; // NORACE
	}
	return 0;
}

static long demo_devices(struct file *file, unsigned int cmd, unsigned long arg)
{
	u8 own[16] = "";
	unsigned int m;

	switch (cmd) {
	case 0:
		device = blkdev_get_by_path(names[1], 0, &holder); // RACE!
		break;
	case 1:
		blkdev_put(blkdev_get_by_dev(arg, 0, &holder), 0); // NORACE
		return holder; // NORACE
	case 2:
		return IS_ERR(zs_create_pool(names[2])); // RACE!
	case 3:
		zs_pool_stats(NULL, &stats); // RACE!
		break;
	case 4:
		crypto_comp_compress(shared, plain, 16, own, &m); // RACE!
		break;
	case 5:
		crypto_comp_compress(transform, plain, 16, packed, &m); // RACE!
		break;
	case 6:
		crypto_comp_compress(transform, changed, 16, own, &length); // RACE!
		return plain[0]; // NORACE
	case 7:
		return IS_ERR(crypto_alloc_base(names[2], 0, 0)); // RACE!
	case 8:
		crypto_destroy_tfm(ended, NULL); // RACE!
		break;
	case 9:
		return ended->refcount; // RACE!
	}
	return own[0];
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	names[0][0] = 'a'; // RACE!
	names[1][0] = 'a'; // RACE!
	names[2][0] = 'a'; // RACE!
	moved.dentry = NULL; // RACE!
	changed[0] = 1; // RACE!
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_files,
	.compat_ioctl = demo_devices,
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
