// What a system header would hold.
void external_use(void *);

static inline int header_helper(int *p)
{
	return *p;
}

static inline int modelled_helper(void *p)
{
	external_use(p);
	return 1;
}

static int header_odd(int n);
static int header_even(int n)
{
	return n == 0 ? 1 : header_odd(n - 1);
}
static int header_odd(int n)
{
	return n == 0 ? 0 : header_even(n - 1);
}
