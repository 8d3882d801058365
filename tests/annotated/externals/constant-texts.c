/* What is read from a constant array has been there from the beginning: it is no struct of the module. */
// verdict: potential
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

static DEFINE_MUTEX(filling);

struct user {
	struct mutex lock;
	int count;
	int limit;
};

static const char *const names[] = { "one", "two", "three" };

const char *user_name(unsigned int i)
{
	return names[i % 3];
}
EXPORT_SYMBOL(user_name);

int user_create(struct user **out)
{
	struct user *user = kzalloc(sizeof(*user), GFP_KERNEL);

	if (!user)
		return -ENOMEM;
	mutex_init(&user->lock);
	*out = user; // RACE: others may give the same address as characters
	return 0;
}
EXPORT_SYMBOL(user_create);

void user_count(struct user *user)
{
	mutex_lock(&user->lock);
	user->count++; // NORACE
	mutex_unlock(&user->lock);
}
EXPORT_SYMBOL(user_count);

void user_fill(unsigned char *to)
{
	mutex_lock(&filling);
	*to = 1; // RACE: others may give the address of a pointer of theirs
	mutex_unlock(&filling);
}
EXPORT_SYMBOL(user_fill);
