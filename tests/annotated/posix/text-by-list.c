/* A text that is written goes to printf in a list of arguments. */
// verdict: race-free
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
static char b[8] = "abc";
static void say(const char *f, ...) { va_list a; va_start(a, f); vfprintf(stderr, f, a); va_end(a); }
static void *ta(void *arg) { say("%s\n", b); return 0; }
int main(void)
{
	pthread_t s;
	pthread_create(&s, 0, ta, 0);
	b[1] = 'x'; // MISSED: what a list of arguments leads to is not looked at
	pthread_join(s, 0);
	return 0;
}
