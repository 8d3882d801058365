/* Two structs that LLVM cannot tell apart. */
struct demo_a {
	unsigned long x;
	void *p, *q;
};

struct demo_b {
	unsigned long x;
	void *p, *q;
};

struct demo_outer {
	unsigned long before;
	struct demo_b inner;
};

struct demo_a *demo_get_a(void);
struct demo_b *demo_get_b(void);
struct demo_outer *demo_get_outer(void);
