// See linked_a.c.
struct completed_elsewhere {
	int before;
	long wanted;
};
struct same_tag {
	long b, c;
};

static int counter;

long other_file(struct completed_elsewhere *p)
{
	return p->wanted + counter;
}

long other_tag(struct same_tag *t)
{
	return t->c;
}
