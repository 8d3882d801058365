/* A release through a stored pointer may give back a lock taken by name (rule 4). */
#include <oracle.h>

static struct mutex m;
static struct mutex *alias;
static int g;
static void setup(void)
{
	alias = &m;
}
READ(r)
{
	mutex_lock(&m);
	mutex_unlock(alias);
	g++;
	return 0;
}
DRIVER(.read = r)
