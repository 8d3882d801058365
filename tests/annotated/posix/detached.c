/* Nobody can wait for a detached thread; what was written before it was made is fine. */
#include <pthread.h>
#include <unistd.h>

static int config, progress;

static void *background(void *arg)
{
	if (config) // NORACE
		progress = 1; // RACE!
	return arg;
}

int main(void)
{
	pthread_attr_t attr;
	pthread_t t;

	config = 1; // NORACE
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_create(&t, &attr, background, NULL);
	sleep(1);
	return progress; // RACE!
}
