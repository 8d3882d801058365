/* What functions of the block layer do to a request and its first bio; what lies around or behind it is the driver's. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/blk-mq.h>

struct command {
	struct request rq;
	int result;
};
static struct command started, completed, updated, ended, freed, again, executed, mapped;
static struct request_queue *queue;

static long demo_requests(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		blk_mq_start_request(&started.rq); // RACE!
		break;
	case 1:
		blk_mq_complete_request(&completed.rq); // RACE!
		break;
	case 2:
		return blk_update_request(&updated.rq, 0, 512); // RACE!
	case 3:
		blk_mq_end_request(&ended.rq, 0); // RACE!
		break;
	case 4:
		blk_mq_free_request(&freed.rq); // RACE!
		break;
	case 5:
		blk_mq_requeue_request(&again.rq, true); // RACE!
		break;
	case 6:
		return blk_execute_rq(&executed.rq, false); // RACE!
	}
	return 0;
}

static long demo_members(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		return started.result + completed.result + updated.result + ended.result; // NORACE
	case 1:
		return freed.result + again.result + executed.result + mapped.result; // NORACE
	case 2:
		return started.rq.__sector + completed.rq.__sector + again.rq.__sector; // NORACE
	case 3:
		return started.rq.rq_flags + READ_ONCE(started.rq.state); // RACE!
	case 4:
		completed.rq.cmd_flags = 1; // RACE!
		return READ_ONCE(completed.rq.state); // NORACE
	case 5:
		return updated.rq.__sector + updated.rq.__data_len; // RACE!
	case 6:
		return updated.rq.bio->bi_iter.bi_size; // RACE!
	case 7:
		return ended.rq.bio->bi_status; // RACE!
	case 8:
		return ended.rq.__sector; // RACE!
	case 9:
		ended.rq.end_io = NULL; // RACE!
		return freed.rq.rq_flags; // RACE!
	case 10:
		return (long)again.rq.queuelist.next; // RACE!
	case 11:
		return (long)executed.rq.end_io_data; // RACE!
	case 12:
		return (long)mapped.rq.bio; // RACE!
	}
	return 0;
}

static char buffer[64], kept[64];

static int demo_own(struct file *file, void *id)
{
	struct request *rq = blk_mq_alloc_request(queue, 0, 0); // NORACE
	char own[8] = "";

	blk_rq_map_kern(queue, &mapped.rq, buffer, 64, GFP_KERNEL); // RACE!
	blk_rq_map_kern(queue, rq, kept, 64, GFP_KERNEL); // RACE: the request is nobody else's
	own[0] = 1; // NORACE
	blk_mq_free_request(rq); // RACE: the request is nobody else's
	return own[0];
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	buffer[0] = 1; // RACE!
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_requests,
	.compat_ioctl = demo_members,
	.flush = demo_own,
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
