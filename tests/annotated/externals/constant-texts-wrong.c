/* The array is none of constants: others get a struct from it as characters. */
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

static const char *names[] = { "one", "two", "three" };

const char *user_name(unsigned int i)
{
	return names[i % 3]; // RACE: nobody keeps two threads from it
}
EXPORT_SYMBOL(user_name);

void user_rename(struct user *user, unsigned int i)
{
	names[i % 3] = (const char *)user; // RACE: nobody keeps two threads from it
}
EXPORT_SYMBOL(user_rename);

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
	user->count++; // RACE!
	mutex_unlock(&user->lock);
}
EXPORT_SYMBOL(user_count);

void user_fill(unsigned char *to)
{
	mutex_lock(&filling);
	*to = 1; // RACE!
	mutex_unlock(&filling);
}
EXPORT_SYMBOL(user_fill);
