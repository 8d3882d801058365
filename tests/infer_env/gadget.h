/*
 * What drivers of the small kernel fill in. Each member says which row is to be inferred: the locks, the parameters whose
 * object belongs to the call, and whether part of it is assumed.
 */
struct gadget;
struct host;
struct list_head;
struct parent;
struct part;
struct result { int value; };

struct gadget_ops {
	int (*init)(struct gadget *g);
	int (*always)(struct gadget *g);	/* ROW: mutex arg0:gadget.lock */
	int (*twice)(struct gadget *g);		/* ROW: mutex arg0:gadget.lock */
	int (*sometimes)(struct gadget *g);	/* NO ROW */
	int (*other)(struct gadget *g);		/* NO ROW */
	int (*global)(int n);			/* ROW: core.c:gadgets global:gadgets */
	int (*tried)(struct gadget *g);		/* ROW: mutex arg0:gadget.lock */
	int (*untried)(struct gadget *g);	/* NO ROW */
	int (*killable)(struct gadget *g);	/* ROW: mutex arg0:gadget.lock */
	int (*wrapped)(struct gadget *g);	/* ROW: mutex arg0:gadget.lock */
	int (*maybe)(struct gadget *g);		/* ROW: mutex arg0:gadget.lock */
	int (*ignored)(struct gadget *g);	/* NO ROW */
	int (*dropped)(struct gadget *g);	/* NO ROW */
	int (*retaken)(struct gadget *g);	/* ROW: mutex arg0:gadget.lock */
	int (*window)(struct gadget *g);	/* NO ROW */
	int (*helped)(struct gadget *g);	/* NO ROW */
	int (*deep)(struct gadget *g);		/* ROW: mutex arg0:gadget->host */
	int (*around)(struct part *p);		/* ROW: gadget.lock@-24 arg0 */
	int (*parent)(struct parent *p);	/* NO ROW */
	int (*both)(struct gadget *g);		/* ROW: mutex arg0:gadget.lock, spinlock arg0:gadget.fast */
	int (*shared)(struct gadget *g);	/* ROW: rwsem arg0:gadget.config shared */
	int (*stack)(struct gadget *g, struct result *r);	/* ROW: owned arg1 */
	int (*passed)(struct gadget *g, struct result *r);	/* ROW: owned arg1 */
	int (*heap)(struct gadget *g, struct result *r);	/* ROW: owned arg1 */
	int (*published)(struct gadget *g, struct result *r);	/* NO ROW */
	int (*kept)(struct gadget *g, struct result *r);	/* NO ROW */
	int (*mine)(struct gadget *g, struct result *r);	/* NO ROW */
	int (*loop)(struct gadget *g);		/* ROW: mutex arg0:gadget.lock */
	int (*next)(struct gadget *g);		/* NO ROW */
	int (*recursive)(struct gadget *g);	/* ROW: mutex arg0:gadget.lock */
	int (*elsewhere)(struct gadget *g);	/* ROW: mutex arg0:gadget.lock, assumed */
	int (*through)(struct gadget *g);	/* ROW: mutex arg0:gadget.lock */
	int (*registered)(struct gadget *g);	/* ROW: mutex arg0:gadget.lock */
	int (*leaked)(struct gadget *g);	/* NO ROW */
	int (*asked)(struct gadget *g);		/* NO ROW */
	int (*iterated)(struct gadget *g);	/* ROW: mutex arg0:gadget.lock */
	int (*passed_on)(struct gadget *g);	/* ROW: mutex arg0:gadget.lock */
	int (*unlocked)(struct gadget *g);	/* NO ROW */
	int (*kept_callback)(struct gadget *g);	/* NO ROW */
	int (*nested)(struct gadget *g);	/* NO ROW */
	int (*behind_data)(struct gadget *g);	/* ROW: mutex arg0:gadget.lock */
	int (*behind_other)(struct gadget *g);	/* NO ROW */
	int (*behind_either)(struct gadget *g);	/* NO ROW */
	int (*given)(struct gadget *g);		/* ROW: mutex arg0:gadget.lock */
	int (*only_read)(struct gadget *g);	/* NO ROW */
	int (*as_number)(struct gadget *g);	/* NO ROW */
	int (*remembered)(struct gadget *g);	/* NO ROW */
	int (*waited)(struct gadget *g);	/* ROW: mutex arg0:gadget.lock */
	int (*after_wait)(struct gadget *g);	/* ROW: mutex arg0:gadget.lock */
	int (*in_wait)(struct gadget *g);	/* NO ROW */
	int (*after_two)(struct gadget *g);	/* ROW: mutex arg0:gadget.lock */
	int (*left)(struct gadget *g);		/* NO ROW */
	int (*handled)(struct gadget *g);	/* ROW: mutex arg0:gadget.lock */
	int (*shown)(struct gadget *g);		/* NO ROW */
	int (*strong)(struct gadget *g);	/* ROW: mutex arg0:gadget.lock */
	int (*weak)(struct gadget *g);		/* NO ROW */
	int (*variants)(struct gadget *g);	/* NO ROW */
	int (*made)(struct gadget *g, struct result *r);	/* ROW: owned arg1 */
	int (*made_kept)(struct gadget *g, struct result *r);	/* NO ROW */
	int (*made_first)(struct gadget *g, struct result *r);	/* NO ROW */
	int (*made_again)(struct gadget *g, struct result *r);	/* NO ROW */
	int (*one_of)(struct gadget *g, struct result *r);	/* NO ROW */
	int (*filled)(struct gadget *g, struct result *r);	/* ROW: owned arg1 */
	int (*found)(struct gadget *g, struct result *r);	/* NO ROW */
	int (*hosted)(struct gadget *g, struct host *h);	/* ROW: arg1 is arg0:gadget->host */
	int (*hosted_by)(struct host *h, struct gadget *g);	/* ROW: arg0 is arg1:gadget->host */
	int (*hosted_deep)(struct gadget *g, struct host *h);	/* ROW: arg1 is arg0:gadget->next:gadget->host */
	int (*hosted_or_not)(struct gadget *g, struct host *h);	/* NO ROW */
	int (*host_of_other)(struct gadget *g, struct host *h);	/* NO ROW */
	int (*counted)(struct gadget *g, int last);	/* NO ROW */
	int (*in_it)(struct gadget *g, struct part *p);	/* ROW: arg1 is arg0:gadget.part */
	int (*asked_host)(struct gadget *g, struct host *h);	/* NO ROW */
	int (*moved)(struct gadget *g, struct host *h);	/* NO ROW */
	int (*taken)(struct gadget *g, struct gadget *first);	/* NO ROW */
	int (*queued)(struct gadget *g, struct list_head *first);	/* NO ROW */
};
