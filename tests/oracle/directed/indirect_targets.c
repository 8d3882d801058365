/* An indirect call may call each of its targets. */
#include <oracle.h>

struct actions { void (*act)(void); };
static int g, h;
static void act_g(void)
{
	g++;
}
static void act_h(void)
{
	h++;
}
static const struct actions table[2] = { { act_g }, { act_h } };
static void setup(void) {}
READ(r)
{
	table[rnd() & 1].act();
	return 0;
}
WRITE(w)
{
	table[1].act();
	return 0;
}
DRIVER(.read = r, .write = w)
