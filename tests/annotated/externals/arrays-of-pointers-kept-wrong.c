/* The address of an element is kept, and what lies there is read as characters. */
// verdict: potential
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct user {
	struct mutex lock;
	int count;
};

static DEFINE_MUTEX(table);
static DEFINE_MUTEX(filling);
static struct user *users[8];

int user_create(unsigned int i)
{
	struct user *user = kzalloc(sizeof(*user), GFP_KERNEL);

	if (!user)
		return -ENOMEM;
	mutex_init(&user->lock);
	mutex_lock(&table);
	users[i & 7] = user;
	mutex_unlock(&table);
	return 0;
}
EXPORT_SYMBOL(user_create);

void user_count(unsigned int i)
{
	struct user *user;

	mutex_lock(&table);
	user = users[i & 7];
	mutex_unlock(&table);
	mutex_lock(&user->lock);
	user->count++; // RACE!
	mutex_unlock(&user->lock);
}
EXPORT_SYMBOL(user_count);

static void **cursor;

void user_seek(unsigned int i)
{
	mutex_lock(&table);
	cursor = (void **)&users[i & 7];
	mutex_unlock(&table);
}
EXPORT_SYMBOL(user_seek);

unsigned char *user_bytes(void)
{
	unsigned char *bytes;

	mutex_lock(&table);
	bytes = *cursor;
	mutex_unlock(&table);
	return bytes;
}
EXPORT_SYMBOL(user_bytes);

void text_fill(unsigned char *to)
{
	mutex_lock(&filling);
	*to = 1; // RACE!
	mutex_unlock(&filling);
}
EXPORT_SYMBOL(text_fill);
