/* One accesses it atomically, the other does not. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static int counter, stored;
static _Atomic int cleared;

static void *worker(void *arg)
{
	__atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST); // RACE!
	__atomic_store_n(&stored, 1, __ATOMIC_RELEASE); // RACE!
	atomic_fetch_add(&cleared, 1); // RACE!
	return arg;
}

int main(void)
{
	pthread_t t;
	int sum;

	pthread_create(&t, NULL, worker, NULL);
	sum = counter; // RACE!
	sum += stored; // RACE!
	memset((void *)&cleared, 0, sizeof(cleared)); // RACE!
	pthread_join(t, NULL);
	return sum;
}
