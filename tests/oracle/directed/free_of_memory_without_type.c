/* What is freed as bytes is a struct elsewhere. */
#include <oracle.h>

struct view { int a, b; };
static char *bytes;
static struct view *view;
static void setup(void)
{
	bytes = kzalloc(16, 0);
	view = (struct view *)bytes;
}
OPEN(o)
{
	f->private_data = READ_ONCE(bytes);
	return 0;
}
READ(r)
{
	struct view *v = READ_ONCE(view);
	return v ? v->b : 0;
}
WRITE(w)
{
	char *p = READ_ONCE(bytes);
	WRITE_ONCE(bytes, NULL);
	WRITE_ONCE(view, NULL);
	kfree(p);
	return 0;
}
DRIVER(.open = o, .read = r, .write = w)
