/* A circle of calls is called twice, and only the first time under the lock. */
#include <oracle.h>

static struct mutex m;
static int g;
static void setup(void) {}
static void odd(unsigned int k);
static void even(unsigned int k)
{
	g++;
	if (k)
		odd(k - 1);
}
static void odd(unsigned int k)
{
	if (k)
		even(k - 1);
}
READ(r)
{
	mutex_lock(&m);
	even(2);
	mutex_unlock(&m);
	even(0);
	return 0;
}
WRITE(w)
{
	mutex_lock(&m);
	g = 1;
	mutex_unlock(&m);
	return n;
}
DRIVER(.read = r, .write = w)
