/* A pointer goes to another thread through a pipe. */
// verdict: race-free
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
struct job { int v; };
static int fd[2];
static void *ta(void *arg) { struct job *j; read(fd[0], &j, sizeof(j)); j->v = 1; return 0; } // MISSED: files are the system's, and give no pointers
int main(void)
{
	pthread_t s;
	struct job *j = calloc(1, sizeof(*j));
	pipe(fd);
	pthread_create(&s, 0, ta, 0);
	write(fd[1], &j, sizeof(j));
	j->v = 2; // MISSED: the same
	pthread_join(s, 0);
	return 0;
}
