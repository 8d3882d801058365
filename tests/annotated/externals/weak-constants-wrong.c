/* Another file may define the array, with the address of a struct in it, which others get as characters. */
// verdict: potential
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>

struct user {
	struct mutex lock;
	int count;
};

static struct user only;
static DEFINE_MUTEX(filling);

void *const users[2] __attribute__((weak)) = { NULL, NULL };

void user_give(void **to)
{
	*to = &only; // RACE: others may give one place twice
}
EXPORT_SYMBOL(user_give);

unsigned char *user_bytes(unsigned int i)
{
	return users[i & 1];
}
EXPORT_SYMBOL(user_bytes);

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
