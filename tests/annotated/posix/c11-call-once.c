/* call_once, and data that a thread uses without it. */
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static int ready, early;

static void setup(void)
{
	ready = 1; // NORACE
	early = 1; // RACE!
}

static int worker(void *arg)
{
	int e = early; // RACE!

	(void)arg;
	call_once(&flag, setup);
	return ready + e; // NORACE
}

int main(void)
{
	thrd_t t, u;

	thrd_create(&t, worker, NULL);
	thrd_create(&u, worker, NULL);
	thrd_join(t, NULL);
	thrd_join(u, NULL);
	return 0;
}
