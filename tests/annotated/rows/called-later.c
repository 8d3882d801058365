/* Functions that are called later: by a task, a CPU that comes, a console, at the end of a request. What has been prepared before
   is theirs. */
// verdict: potential
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct task_struct;
struct callback_head { struct callback_head *next; void (*func)(struct callback_head *head); };
int task_work_add(struct task_struct *task, struct callback_head *work, int notify);
struct io_uring_cmd { void *cmd; void (*task_work_cb)(struct io_uring_cmd *cmd, unsigned int flags); int op; };
void io_uring_cmd_complete_in_task(struct io_uring_cmd *cmd, void (*function)(struct io_uring_cmd *cmd, unsigned int flags));
void io_uring_cmd_done(struct io_uring_cmd *cmd, ssize_t result, ssize_t second, unsigned int flags);
int __cpuhp_setup_state(int state, const char *name, bool invoke, int (*startup)(unsigned int cpu),
			int (*teardown)(unsigned int cpu), bool instances);
int __cpuhp_state_add_instance(int state, struct hlist_node *node, bool invoke);
int __cpuhp_state_remove_instance(int state, struct hlist_node *node, bool invoke);
struct request { int tag; };
struct io_comp_batch { struct request *req_list; bool need_ts; void (*complete)(struct io_comp_batch *batch); };
struct hvc_struct;
struct hv_ops {
	int (*get_chars)(uint32_t number, char *buf, int n);
	int (*put_chars)(uint32_t number, const char *buf, int n);
	int (*notifier_add)(struct hvc_struct *hvc, int irq);
};
struct hvc_struct *hvc_alloc(uint32_t number, int data, const struct hv_ops *ops, int n);

struct work { struct callback_head head; int before, result; };
struct command { int before, result; };
struct stream { struct hlist_node node; int before, sizes, ends; };
static struct { int prepared, ended, batches, read, written, opened; } counts;
static char letter;

static void demo_task(struct callback_head *head)
{
	struct work *of = container_of(head, struct work, head);

	of->result = of->before; // RACE!
}

static void demo_command(struct io_uring_cmd *cmd, unsigned int flags)
{
	struct command *of = cmd->cmd; // RACE: a command is given to its function once

	of->result = of->before; // RACE!
	io_uring_cmd_done(cmd, 0, 0, flags); // RACE!
}

static ssize_t task_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct work *own = kzalloc(sizeof(*own), GFP_KERNEL);

	if (!own)
		return -ENOMEM;
	own->before = 1; // NORACE
	own->result = 1; // NORACE
	own->head.func = demo_task;
	task_work_add(NULL, &own->head, 1);
	own->result = 2; // RACE!
	return 0;
}
static DEVICE_ATTR_RO(task);

static ssize_t command_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct command *own = kzalloc(sizeof(*own), GFP_KERNEL);
	struct io_uring_cmd *cmd = kzalloc(sizeof(*cmd), GFP_KERNEL);

	if (!own || !cmd)
		return -ENOMEM;
	own->before = 1; // NORACE
	cmd->cmd = own;
	cmd->op = 1; // NORACE
	io_uring_cmd_complete_in_task(cmd, demo_command);
	own->result = 2; // RACE!
	return cmd->op; // RACE!
}
static DEVICE_ATTR_RO(command);

/* One CPU at a time; an instance's from the time it is added to the time it is removed. */
static int demo_up(unsigned int cpu, struct hlist_node *node)
{
	struct stream *of = container_of(node, struct stream, node);

	of->before++; // NORACE
	of->sizes++; // RACE!
	counts.prepared++; // NORACE
	return 0;
}

static int demo_down(unsigned int cpu, struct hlist_node *node)
{
	struct stream *of = container_of(node, struct stream, node);

	of->before++; // NORACE
	counts.prepared++; // NORACE
	counts.ended++; // RACE!
	return 0;
}

static ssize_t stream_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct stream *own = kzalloc(sizeof(*own), GFP_KERNEL);

	if (!own)
		return -ENOMEM;
	own->before = 1; // NORACE
	__cpuhp_state_add_instance(1, &own->node, true);
	own->sizes++; // RACE!
	__cpuhp_state_remove_instance(1, &own->node, true);
	own->before = 1; // NORACE
	return counts.ended; // RACE!
}
static DEVICE_ATTR_RO(stream);

/* A batch is the caller's own. */
static void demo_batch(struct io_comp_batch *batch)
{
	batch->need_ts = false; // NORACE
	counts.batches++; // RACE!
}

static int demo_get(uint32_t number, char *buf, int n)
{
	buf[0] = letter; // RACE!
	counts.read++; // RACE!
	return 1;
}

static int demo_put(uint32_t number, const char *buf, int n)
{
	letter = buf[0]; // RACE!
	counts.written++; // RACE!
	return 1;
}

static int demo_add(struct hvc_struct *hvc, int irq)
{
	counts.opened++; // RACE!
	return 0;
}

static const struct hv_ops demo_ops = { .get_chars = demo_get, .put_chars = demo_put, .notifier_add = demo_add };
static struct io_comp_batch *batch;

static int demo_probe(struct platform_device *pdev)
{
	__cpuhp_setup_state(1, "demo", false, (void *)demo_up, (void *)demo_down, true);
	batch->complete = demo_batch; // RACE!
	hvc_alloc(1, 0, &demo_ops, 16);
	device_create_file(&pdev->dev, &dev_attr_task);
	device_create_file(&pdev->dev, &dev_attr_command);
	return device_create_file(&pdev->dev, &dev_attr_stream);
}
static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
