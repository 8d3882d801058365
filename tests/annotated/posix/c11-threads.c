/* The same with the threads of C11. */
#include <threads.h>
#include <stdio.h>

static mtx_t lock;
static int safe, unsafe, result;

static int worker(void *arg)
{
	mtx_lock(&lock);
	safe++; // NORACE
	mtx_unlock(&lock);
	unsafe++; // RACE!
	*(int *)arg = 1; // NORACE
	return 0;
}

int main(void)
{
	thrd_t t, u;
	int a, b;

	if (mtx_init(&lock, mtx_plain) != thrd_success)
		return 1;
	thrd_create(&t, worker, &a);
	thrd_create(&u, worker, &b);
	result = 1; // NORACE
	thrd_join(t, NULL);
	thrd_join(u, NULL);
	mtx_destroy(&lock); // NORACE
	printf("%d %d %d\n", safe, unsafe, a + b); // NORACE
	return 0;
}
