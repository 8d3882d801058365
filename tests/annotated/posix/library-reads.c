/* Functions of the library read and write what they get, under the lock that others take, too. */
// verdict: race-free
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
	pthread_mutex_lock(&lock);
	if (!pthread_mutex_timedlock(&other, &until)) // NORACE
		pthread_mutex_unlock(&other);
	if (!pthread_mutex_clocklock(&other, CLOCK_MONOTONIC, &till)) // NORACE
		pthread_mutex_unlock(&other);
	if (!pthread_rwlock_timedwrlock(&rw, &limit)) // NORACE
		pthread_rwlock_unlock(&rw);
	if (!pthread_rwlock_clockrdlock(&rw, CLOCK_MONOTONIC, &end)) // NORACE
		pthread_rwlock_unlock(&rw);
	pthread_mutex_lock(&other);
	pthread_cond_timedwait(&cond, &other, &deadline); // NORACE
	pthread_cond_clockwait(&cond, &other, CLOCK_MONOTONIC, &due); // NORACE
	pthread_mutex_unlock(&other);
	mtx_lock(&mutex);
	cnd_timedwait(&changed, &mutex, &term); // NORACE
	mtx_unlock(&mutex);
	sem_timedwait(&sem, &last); // NORACE
	thrd_sleep(&rest, &left); // NORACE
	pthread_sigmask(SIG_BLOCK, &set, &old); // NORACE
	fopen(path, mode); // NORACE
	popen(command, "r"); // NORACE
	open(file, O_RDONLY); // NORACE
	fcntl(0, F_GETLK, &range); // NORACE
	times(&used); // NORACE
	warnx("%s", warning); // NORACE
	syscall(SYS_read, 0, bytes, 4); // NORACE
	pthread_setname_np(pthread_self(), name); // NORACE
	pthread_setschedparam(pthread_self(), 0, &priority); // NORACE
	pthread_mutex_init(&made, &kind); // NORACE
	pthread_create(&thread, &attributes, nothing, NULL); // NORACE
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *changes(void *arg)
{
	pthread_mutex_lock(&lock);
	until.tv_sec = till.tv_sec = 1; // NORACE
	limit.tv_sec = end.tv_sec = 1; // NORACE
	deadline.tv_sec = due.tv_sec = 1; // NORACE
	term.tv_sec = last.tv_sec = rest.tv_sec = 1; // NORACE
	left.tv_sec = 1; // NORACE
	sigemptyset(&set); // NORACE
	sigemptyset(&old); // NORACE
	path[0] = mode[0] = command[0] = file[0] = 'a'; // NORACE
	warning[0] = bytes[0] = name[0] = 'a'; // NORACE
	range.l_pid = 0; // NORACE
	used.tms_utime = 0; // NORACE
	priority.sched_priority = 1; // NORACE
	pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE); // NORACE
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED); // NORACE
	pthread_mutex_unlock(&lock);
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
