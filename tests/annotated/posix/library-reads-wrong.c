/* Functions of the library read and write what they get, while another thread changes that. */
// verdict: potential
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static mtx_t mutex;
static cnd_t changed;
static sem_t sem;
static pthread_mutexattr_t kind;
static pthread_attr_t attributes;

static struct timespec until, till, limit, end, rest, left, deadline, due, term, last;
static sigset_t set, old;
static char path[16], mode[16], command[16], name[16], file[16], warning[16], bytes[16];
static struct flock range;
static struct tms used;
static struct sched_param priority;

static void *nothing(void *arg)
{
	return arg;
}

static void *calls(void *arg)
{
	pthread_mutex_t made;
	pthread_t thread;

	if (!pthread_mutex_timedlock(&other, &until)) // RACE!
		pthread_mutex_unlock(&other);
	if (!pthread_mutex_clocklock(&other, CLOCK_MONOTONIC, &till)) // RACE!
		pthread_mutex_unlock(&other);
	if (!pthread_rwlock_timedwrlock(&rw, &limit)) // RACE!
		pthread_rwlock_unlock(&rw);
	if (!pthread_rwlock_clockrdlock(&rw, CLOCK_MONOTONIC, &end)) // RACE!
		pthread_rwlock_unlock(&rw);
	pthread_mutex_lock(&other);
	pthread_cond_timedwait(&cond, &other, &deadline); // RACE!
	pthread_cond_clockwait(&cond, &other, CLOCK_MONOTONIC, &due); // RACE!
	pthread_mutex_unlock(&other);
	mtx_lock(&mutex);
	cnd_timedwait(&changed, &mutex, &term); // RACE!
	mtx_unlock(&mutex);
	sem_timedwait(&sem, &last); // RACE!
	thrd_sleep(&rest, &left); // RACE!
	pthread_sigmask(SIG_BLOCK, &set, &old); // RACE!
	fopen(path, mode); // RACE!
	popen(command, "r"); // RACE!
	open(file, O_RDONLY); // RACE!
	fcntl(0, F_GETLK, &range); // RACE!
	times(&used); // RACE!
	warnx("%s", warning); // RACE!
	syscall(SYS_read, 0, bytes, 4); // RACE!
	pthread_setname_np(pthread_self(), name); // RACE!
	pthread_setschedparam(pthread_self(), 0, &priority); // RACE!
	pthread_mutex_init(&made, &kind); // RACE!
	pthread_create(&thread, &attributes, nothing, NULL); // RACE!
	return arg;
}

static void *changes(void *arg)
{
	until.tv_sec = till.tv_sec = 1; // RACE!
	limit.tv_sec = end.tv_sec = 1; // RACE!
	deadline.tv_sec = due.tv_sec = 1; // RACE!
	term.tv_sec = last.tv_sec = rest.tv_sec = 1; // RACE!
	left.tv_sec = 1; // RACE!
	sigemptyset(&set); // RACE!
	sigemptyset(&old); // RACE!
	path[0] = mode[0] = command[0] = file[0] = 'a'; // RACE!
	warning[0] = bytes[0] = name[0] = 'a'; // RACE!
	range.l_pid = 0; // RACE!
	used.tms_utime = 0; // RACE!
	priority.sched_priority = 1; // RACE!
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE); // RACE!
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED); // RACE!
	return arg;
}

int main(void)
{
	pthread_t a, b;

	mtx_init(&mutex, mtx_plain); // NORACE
	pthread_create(&a, NULL, calls, NULL);
	pthread_create(&b, NULL, changes, NULL);
	return 0;
}
