/* In a directory for headers, as if other modules knew the struct, too. */
struct peg {
	unsigned int flags;
	struct delayed_work check;
};
