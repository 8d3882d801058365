/* One struct is found behind one of the kernel's, another is made without a type and kept in the same member. That the made one
 * may be taken for the first does not say that it is one. */
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	int level;
};

struct other {
	int speed;
};

struct room;
extern struct demo *room_of(struct room *room);

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(request_lock);

static void *demo_make(struct platform_device *pdev, size_t size)
{
	void *made = kzalloc(size, GFP_KERNEL);

	if (made)
		platform_set_drvdata(pdev, made); // RACE!
	return made;
}

void demo_start(struct platform_device *pdev, struct room *room)
{
	platform_set_drvdata(pdev, room_of(room)); // RACE!
}
EXPORT_SYMBOL(demo_start);

int demo_start_other(struct platform_device *pdev)
{
	struct other *other = demo_make(pdev, sizeof(*other));

	return other ? 0 : -ENOMEM;
}
EXPORT_SYMBOL(demo_start_other);

void demo_set(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev); // RACE!

	mutex_lock(&lock);
	demo->level = 3; // RACE!
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_set);

void demo_end(struct ifreq *request)
{
	mutex_lock(&request_lock);
	kfree(request); // RACE!
	mutex_unlock(&request_lock);
}
EXPORT_SYMBOL(demo_end);
