/* start is called without the event_lock; events come until the handle is unregistered. */
// verdict: potential
#include <linux/module.h>
#include <linux/input.h>
#include <linux/slab.h>

struct input_handle {
	void *private;
	int open;
	struct input_dev *dev;
	struct input_handler *handler;
};
struct input_handler {
	void (*event)(struct input_handle *handle, unsigned int type, unsigned int code, int value);
	void (*start)(struct input_handle *handle);
	int (*connect)(struct input_handler *handler, struct input_dev *dev, const void *id);
	void (*disconnect)(struct input_handle *handle);
};
int input_register_handler(struct input_handler *handler);
void input_unregister_handler(struct input_handler *handler);
int input_register_handle(struct input_handle *handle);
void input_unregister_handle(struct input_handle *handle);

struct demo {
	struct input_handle handle;
	int count, state;
};

static void demo_event(struct input_handle *handle, unsigned int type, unsigned int code, int value)
{
	struct demo *demo = container_of(handle, struct demo, handle);

	demo->count++; // RACE!
	demo->state++; // RACE!
}

static void demo_start(struct input_handle *handle)
{
	struct demo *demo = container_of(handle, struct demo, handle);

	demo->state = 0; // RACE!
}

static int demo_connect(struct input_handler *handler, struct input_dev *dev, const void *id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->handle.dev = dev;
	demo->handle.handler = handler;
	demo->count = 1; // NORACE
	return input_register_handle(&demo->handle);
}

static void demo_disconnect(struct input_handle *handle)
{
	struct demo *demo = container_of(handle, struct demo, handle);

	demo->count = 0; // RACE!
	input_unregister_handle(handle);
	kfree(demo); // NORACE
}

static struct input_handler demo_handler = { .event = demo_event, .start = demo_start, .connect = demo_connect, .disconnect = demo_disconnect };

static int __init demo_init(void)
{
	return input_register_handler(&demo_handler);
}

static void __exit demo_exit(void)
{
	input_unregister_handler(&demo_handler);
}

module_init(demo_init);
module_exit(demo_exit);
MODULE_LICENSE("GPL");
