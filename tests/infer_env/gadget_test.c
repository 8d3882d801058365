/* A unit test calls what it tests as nobody else does: it says nothing of the kernel that serves a driver. */
#include <kunit/test.h>

static void gadget_test(struct kunit *test)
{
	struct gadget *g = test->priv;

	g->ops->always(g);
}
