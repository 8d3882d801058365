/* A free ends what lies behind the struct that its pointer is declared to point to, too. */
#include <oracle.h>

struct head { int a; };
struct tail { int b; };
static struct head *head;
static struct tail *tail;
static void setup(void)
{
	head = kzalloc(sizeof(struct head) + sizeof(struct tail), 0);
	tail = head ? (struct tail *)(head + 1) : NULL;
}
OPEN(o)
{
	f->private_data = READ_ONCE(head);
	return 0;
}
READ(r)
{
	struct tail *t = READ_ONCE(tail);
	return t ? t->b : 0;
}
WRITE(w)
{
	struct head *h = READ_ONCE(head);
	WRITE_ONCE(head, NULL);
	WRITE_ONCE(tail, NULL);
	kfree(h);
	return 0;
}
DRIVER(.open = o, .read = r, .write = w)
