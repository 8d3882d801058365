/* A private copy does not change with what it was copied from. */
#include <oracle.h>

struct state { int locked, more; };
static struct state state;
static struct mutex m;
static int g;
static void setup(void)
{
	state.locked = 1;
}
READ(r)
{
	struct state mine, again;
	memcpy(&mine, &state, sizeof(mine));
	memcpy(&again, &state, sizeof(again));
	if (mine.locked)
		mutex_lock(&m);
	if (again.locked)
		g++;
	return 0;
}
WRITE(w)
{
	WRITE_ONCE(state.locked, 0);
	return 0;
}
DRIVER(.read = r, .write = w)
