/* Nobody calls this module: that is no proof. */
// error: no entry point
static int events;

int demo_count(void)
{
	return events++;
}
