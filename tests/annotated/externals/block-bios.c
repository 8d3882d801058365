/* A bio is its maker's until it is submitted, and then its end's; what lies around it is the driver's. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/blkdev.h>
#include <linux/slab.h>

struct page { unsigned long flags; unsigned long index; };
struct work {
	struct bio bio;
	int untouched;
};
static struct work begun, cleared, filled, ended, sent, waited;
static struct page *page;
static int ends;

static void demo_end(struct bio *bio)
{
	if (bio->bi_private) // RACE!
		ends++; // RACE!
}

static long demo_bios(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		bio_init(&begun.bio, NULL, NULL, 0, 1); // RACE!
		break;
	case 1:
		bio_add_page(&filled.bio, page, 512, 0); // RACE!
		break;
	case 2:
		zero_fill_bio(&cleared.bio); // RACE!
		break;
	case 3:
		bio_endio(&ended.bio); // RACE!
		break;
	case 4:
		submit_bio(&sent.bio); // RACE!
		break;
	case 5:
		return submit_bio_wait(&waited.bio); // RACE!
	case 6:
		page_endio(page, false, 0); // NORACE
		break;
	}
	return 0;
}

static long demo_members(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		return begun.untouched + filled.untouched; // NORACE
	case 1:
		return begun.bio.bi_opf; // RACE!
	case 2:
		return filled.bio.bi_vcnt + filled.bio.bi_io_vec[0].bv_len; // RACE!
	case 3:
		return ended.bio.bi_flags + ended.bio.bi_status; // RACE!
	case 4:
		return sent.bio.bi_iter.bi_size; // RACE!
	case 5:
		return waited.bio.bi_iter.bi_size; // RACE!
	case 6:
		return page->index; // NORACE
	case 7:
		return READ_ONCE(page->flags); // NORACE
	case 8:
		cleared.bio.bi_iter.bi_size = 1; // RACE!
		return cleared.untouched; // NORACE
	}
	return ends; // RACE!
}

static int demo_own(struct file *file, void *id)
{
	struct bio *bio = bio_alloc_bioset(NULL, 1, 0, GFP_KERNEL, NULL);

	if (!bio)
		return -ENOMEM;
	bio->bi_private = kzalloc(sizeof(struct work), GFP_KERNEL); // NORACE
	bio->bi_end_io = demo_end; // NORACE
	if (!bio->bi_private) { // NORACE
		bio_put(bio); // NORACE
		return -ENOMEM;
	}
	submit_bio(bio); // RACE!
	bio->bi_private = NULL; // RACE!
	bio_put(bio); // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_bios,
	.compat_ioctl = demo_members,
	.flush = demo_own,
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
