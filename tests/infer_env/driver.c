/* Not given to the inference: what it calls is only assumed to be as the calls that were seen. */
void driver(struct gadget *g)
{
	g->ops->elsewhere(g);
	gadget_ask(g);
	gadget_ask_host(g, h);
}
