/* Main overwrites the handle through a pointer, before it joins. */
#include <pthread.h>
#include <stdio.h>

static pthread_t first, second;
static pthread_t *place;
static int one, two;

static void *make_one(void *arg)
{
	one = 1; // RACE!
	return arg;
}

static void *make_two(void *arg)
{
	two = 1; // RACE: the handle is read from a variable that is written under another name
	return arg;
}

int main(int argc, char **argv)
{
	place = argc > 1 ? &first : &second;
	pthread_create(&first, NULL, make_one, NULL);
	pthread_create(&second, NULL, make_two, NULL);
	*place = second;
	pthread_join(first, NULL);
	printf("%d\n", one); // RACE!
	pthread_join(second, NULL);
	printf("%d\n", two); // RACE: as above
	return 0;
}
