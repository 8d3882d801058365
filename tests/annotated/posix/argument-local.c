/* A local variable of main belongs to the thread until it is joined. */
#include <pthread.h>
#include <stdio.h>

static void *worker(void *p)
{
	*(int *)p = 42; // NORACE
	return NULL;
}

static void *busy(void *p)
{
	*(int *)p = 42; // RACE!
	return NULL;
}

int main(void)
{
	pthread_t t, u;
	int answer = 0, early = 0;

	pthread_create(&t, NULL, worker, &answer);
	pthread_create(&u, NULL, busy, &early);
	early = 1; // RACE!
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	printf("%d %d\n", answer, early); // NORACE
	return 0;
}
