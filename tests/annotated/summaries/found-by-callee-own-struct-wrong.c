/* The function of another file knows the struct that it is declared to get. */
// verdict: potential
// inline-limit: 0
#include "../externals/found.h"

struct demo_message {
	void *buffer;
};

int other_send(struct demo_message *message);

static noinline int demo_go(struct demo_message *message)
{
	return other_send(message); // RACE!
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo_message message = { .buffer = shared };

	return demo_go(&message);
}
