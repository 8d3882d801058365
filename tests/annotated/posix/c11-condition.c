/* A mailbox with a condition; one looks without the lock. */
#include <threads.h>
#include <stdbool.h>

static mtx_t lock;
static cnd_t cond;
static bool full;
static int letter;

static int sender(void *arg)
{
	mtx_lock(&lock);
	letter = *(int *)arg; // NORACE
	full = true; // RACE!
	cnd_signal(&cond);
	mtx_unlock(&lock);
	return 0;
}

int main(void)
{
	thrd_t t;
	int value = 3, got;

	mtx_init(&lock, mtx_plain);
	cnd_init(&cond);
	thrd_create(&t, sender, &value);
	if (!full) // RACE!
		thrd_yield();
	mtx_lock(&lock);
	while (!full) // NORACE
		cnd_wait(&cond, &lock);
	got = letter; // NORACE
	mtx_unlock(&lock);
	thrd_join(t, NULL);
	return got;
}
