// Linked with linked_b.c: a struct that only the other file defines, and one that both define differently.
struct completed_elsewhere;
struct same_tag {
	int a;
};
struct shared_by_both;

static int counter;
long other_file(struct completed_elsewhere *p);

long caller(struct completed_elsewhere *p, struct same_tag *t)
{
	return other_file(p) + t->a + counter++;
}
