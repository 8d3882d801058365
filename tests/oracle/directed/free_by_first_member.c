/* A free through the first member ends the struct around it. */
#include <oracle.h>

struct base { int a; };
struct whole { struct base base; int b; };
static struct whole *whole;
static struct base *base;
static void setup(void)
{
	whole = kzalloc(sizeof(struct whole), 0);
	base = &whole->base;
}
OPEN(o)
{
	f->private_data = READ_ONCE(base);
	return 0;
}
READ(r)
{
	struct whole *w = READ_ONCE(whole);
	return w ? w->b : 0;
}
WRITE(w)
{
	struct base *b = READ_ONCE(base);
	WRITE_ONCE(whole, NULL);
	WRITE_ONCE(base, NULL);
	kfree(b);
	return 0;
}
DRIVER(.open = o, .read = r, .write = w)
