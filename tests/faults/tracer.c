/* Runs a program and lets one call that changes files in a folder fail, write less, or be the last.
 *
 *     tracer FOLDER NUMBER FAULT LOG PROGRAM ARGUMENT...
 *
 * All calls of the program that change a file in FOLDER, or below, are counted from 1 and written to LOG: the number, the
 * name of the call, how many bytes it writes, and the path. At call NUMBER the tracer does what FAULT says:
 *
 *     none        nothing
 *     kill        kills the program before the call
 *     torn        lets a write accept half of its bytes, and kills the program at the next call
 *     short       lets a write accept half of its bytes
 *     error:E     fails the call with the error number E
 *     broken:E    fails the call, and all later calls that need space or a working disk
 *     full:E      lets a write accept half of its bytes, and fails as `broken` from the next call on
 *
 * A library to preload would miss the calls that do not go through the C library, so this program uses ptrace. A seccomp
 * filter stops the program only at the calls below. Processes that the program starts run without faults.
 * The exit status is that of the program, or 128 and the number of the signal that killed it. Linux only.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <linux/ptrace.h>
#include <unistd.h>

/* Which argument says what is changed: a file descriptor, or a path, with or without the descriptor of a folder. */
enum what { DESCRIPTOR, PATH, PATH_AT };

struct call {
	long number;
	const char *name;
	enum what what;
	int argument;
	/* The argument with the number of bytes to write, or -1. */
	int size;
	/* Whether the call fails on a full or broken disk. */
	int needs_disk;
};

static const struct call calls[] = {
	{ __NR_openat, "openat", PATH_AT, 0, -1, 1 },
	{ __NR_write, "write", DESCRIPTOR, 0, 2, 1 },
	{ __NR_pwrite64, "pwrite64", DESCRIPTOR, 0, 2, 1 },
	{ __NR_writev, "writev", DESCRIPTOR, 0, -1, 1 },
	{ __NR_pwritev, "pwritev", DESCRIPTOR, 0, -1, 1 },
	{ __NR_pwritev2, "pwritev2", DESCRIPTOR, 0, -1, 1 },
	{ __NR_fsync, "fsync", DESCRIPTOR, 0, -1, 1 },
	{ __NR_fdatasync, "fdatasync", DESCRIPTOR, 0, -1, 1 },
	{ __NR_sync_file_range, "sync_file_range", DESCRIPTOR, 0, -1, 1 },
	{ __NR_ftruncate, "ftruncate", DESCRIPTOR, 0, -1, 1 },
	{ __NR_truncate, "truncate", PATH, 0, -1, 1 },
	{ __NR_fallocate, "fallocate", DESCRIPTOR, 0, -1, 1 },
	{ __NR_copy_file_range, "copy_file_range", DESCRIPTOR, 2, 4, 1 },
	{ __NR_sendfile, "sendfile", DESCRIPTOR, 0, 3, 1 },
	{ __NR_splice, "splice", DESCRIPTOR, 2, 4, 1 },
	{ __NR_ioctl, "ioctl", DESCRIPTOR, 0, -1, 1 },
	{ __NR_fchmod, "fchmod", DESCRIPTOR, 0, -1, 0 },
	{ __NR_fchown, "fchown", DESCRIPTOR, 0, -1, 0 },
	{ __NR_fsetxattr, "fsetxattr", DESCRIPTOR, 0, -1, 0 },
	{ __NR_close, "close", DESCRIPTOR, 0, -1, 0 },
	{ __NR_renameat2, "renameat2", PATH_AT, 2, -1, 0 },
	{ __NR_linkat, "linkat", PATH_AT, 2, -1, 1 },
	{ __NR_symlinkat, "symlinkat", PATH_AT, 1, -1, 1 },
	{ __NR_mkdirat, "mkdirat", PATH_AT, 0, -1, 1 },
	{ __NR_unlinkat, "unlinkat", PATH_AT, 0, -1, 0 },
	{ __NR_fchmodat, "fchmodat", PATH_AT, 0, -1, 0 },
	{ __NR_fchownat, "fchownat", PATH_AT, 0, -1, 0 },
	{ __NR_utimensat, "utimensat", PATH_AT, 0, -1, 0 },
#ifdef __NR_fchmodat2
	{ __NR_fchmodat2, "fchmodat2", PATH_AT, 0, -1, 0 },
#endif
#ifdef __NR_renameat
	{ __NR_renameat, "renameat", PATH_AT, 2, -1, 0 },
#endif
	/* Machines whose Linux is older than the calls with a folder also have these. */
#ifdef __NR_open
	{ __NR_open, "open", PATH, 0, -1, 1 },
	{ __NR_creat, "creat", PATH, 0, -1, 1 },
	{ __NR_rename, "rename", PATH, 1, -1, 0 },
	{ __NR_link, "link", PATH, 1, -1, 1 },
	{ __NR_symlink, "symlink", PATH, 1, -1, 1 },
	{ __NR_mkdir, "mkdir", PATH, 0, -1, 1 },
	{ __NR_rmdir, "rmdir", PATH, 0, -1, 0 },
	{ __NR_unlink, "unlink", PATH, 0, -1, 0 },
	{ __NR_chmod, "chmod", PATH, 0, -1, 0 },
	{ __NR_chown, "chown", PATH, 0, -1, 0 },
	{ __NR_lchown, "lchown", PATH, 0, -1, 0 },
#endif
};
enum { CALLS = sizeof calls / sizeof *calls };

static void fail(const char *what)
{
	fprintf(stderr, "tracer: %s: %s\n", what, strerror(errno));
	exit(125);
}

static void filter_calls(void)
{
	struct sock_filter code[CALLS + 3];
	unsigned n = 0;

	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (unsigned i = 0; i < CALLS; i++)
		code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i].number, CALLS - i, 0);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
	struct sock_fprog program = { .len = (unsigned short)n, .filter = code };
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		fail("setting the filter of system calls");
}

/* Reads the path of a descriptor, or of the current folder. */
static int link_of(char *out, pid_t thread, int descriptor)
{
	char name[64];

	if (descriptor == AT_FDCWD)
		snprintf(name, sizeof name, "/proc/%d/cwd", thread);
	else
		snprintf(name, sizeof name, "/proc/%d/fd/%d", thread, descriptor);
	ssize_t len = readlink(name, out, PATH_MAX - 1);
	out[len > 0 ? len : 0] = 0;
	return len > 0;
}

static int read_string(char *out, pid_t thread, unsigned long at)
{
	size_t len = 0;

	while (len < PATH_MAX - 1) {
		errno = 0;
		long word = ptrace(PTRACE_PEEKDATA, thread, at + len, 0);
		if (errno)
			return 0;
		memcpy(out + len, &word, sizeof word);
		if (memchr(&word, 0, sizeof word))
			return 1;
		len += sizeof word;
		if (len + sizeof word > PATH_MAX)
			return 0;
	}
	return 0;
}

/* The path that a call changes. */
static int path_of(char *out, pid_t thread, const struct call *call, const __u64 *arguments)
{
	char own[PATH_MAX + 16], folder[PATH_MAX];
	int at = call->argument;

	if (call->what == DESCRIPTOR)
		return link_of(out, thread, (int)arguments[at]);
	int named = call->what == PATH_AT ? at + 1 : at;
	if (!read_string(own, thread, arguments[named]))
		return 0;
	if (own[0] == '/')
		return snprintf(out, PATH_MAX, "%s", own) < PATH_MAX;
	int folder_fd = call->what == PATH_AT ? (int)arguments[at] : AT_FDCWD;
	if (!link_of(folder, thread, folder_fd))
		return 0;
	return snprintf(out, PATH_MAX, "%s/%s", folder, own) < PATH_MAX;
}

/* Whether a descriptor is open for writing. */
static int is_for_writing(pid_t thread, int number)
{
	char name[64], line[128];
	int flags = 0;

	snprintf(name, sizeof name, "/proc/%d/fdinfo/%d", thread, number);
	FILE *file = fopen(name, "r");
	if (!file)
		return 0;
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "flags: %o", &flags) == 1)
			break;
	fclose(file);
	return (flags & O_ACCMODE) != O_RDONLY;
}

/* Whether a call changes a file, or makes a change last. */
static int changes(pid_t thread, const struct call *call, const __u64 *arguments)
{
	switch (call->number) {
#ifdef __NR_open
	case __NR_open:
		return (arguments[1] & (O_CREAT | O_TRUNC)) != 0;
#endif
	case __NR_openat:
		return (arguments[2] & (O_CREAT | O_TRUNC)) != 0;
	case __NR_ioctl:
		return arguments[1] == FICLONE || arguments[1] == FICLONERANGE;
	case __NR_close:
		return is_for_writing(thread, (int)arguments[0]);
	default:
		return 1;
	}
}

static pid_t process_of(pid_t thread)
{
	char name[64], line[128];
	pid_t process = thread;

	snprintf(name, sizeof name, "/proc/%d/status", thread);
	FILE *file = fopen(name, "r");
	if (!file)
		return 0;
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "Tgid: %d", &process) == 1)
			break;
	fclose(file);
	return process;
}

/* Sets an argument of the call at which a thread is stopped. */
static void set_argument(pid_t thread, int argument, unsigned long value)
{
	struct user_regs_struct registers;
	struct iovec part = { &registers, sizeof registers };

	if (ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &part))
		fail("reading registers");
#if defined __x86_64__
	switch (argument) {
	case 2: registers.rdx = value; break;
	case 3: registers.r10 = value; break;
	case 4: registers.r8 = value; break;
	}
#elif defined __aarch64__
	registers.regs[argument] = value;
#else
#error "add the registers of this machine"
#endif
	if (ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &part))
		fail("writing registers");
}

/* Skips the call at which a thread is stopped. It fails with an error. */
static void refuse(pid_t thread, int error)
{
	struct user_regs_struct registers;
	struct iovec part = { &registers, sizeof registers };

	if (ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &part))
		fail("reading registers");
#if defined __x86_64__
	registers.orig_rax = (unsigned long)-1;
	registers.rax = (unsigned long)-error;
#else
	int none = -1;
	struct iovec call = { &none, sizeof none };
	registers.regs[0] = (unsigned long)-error;
	if (ptrace(PTRACE_SETREGSET, thread, NT_ARM_SYSTEM_CALL, &call))
		fail("skipping a call");
#endif
	if (ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &part))
		fail("writing registers");
}

static const char *folder, *fault;
static long chosen, count;
static int error_number;
static FILE *record;
static pid_t program;

static int is_fault(const char *name)
{
	size_t len = strlen(name);

	return !strncmp(fault, name, len) && (fault[len] == 0 || fault[len] == ':');
}

/* Counts the call at which a thread is stopped, and makes it fail if it is the chosen one. */
static void at_call(pid_t thread)
{
	struct ptrace_syscall_info info;
	char path[PATH_MAX];
	const struct call *call = NULL;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) < 0 || info.op != PTRACE_SYSCALL_INFO_SECCOMP)
		return;
	for (unsigned i = 0; i < CALLS; i++)
		if ((__u64)calls[i].number == info.seccomp.nr)
			call = &calls[i];
	if (!call || process_of(thread) != program)
		return;
	size_t len = strlen(folder);
	if (!path_of(path, thread, call, info.seccomp.args) || strncmp(path, folder, len) ||
	    (path[len] != '/' && path[len] != 0) || !changes(thread, call, info.seccomp.args))
		return;

	count++;
	__u64 size = call->size < 0 ? 0 : info.seccomp.args[call->size];
	fprintf(record, "%ld %s %llu %s\n", count, call->name, (unsigned long long)size, path);
	fflush(record);
	if (count < chosen)
		return;
	int first = count == chosen;
	if ((first && is_fault("kill")) || (count == chosen + 1 && is_fault("torn"))) {
		kill(program, SIGKILL);
	} else if (first && (is_fault("short") || is_fault("torn") || is_fault("full"))) {
		/* Copies ask for far more bytes than a file has. */
		if (size > 1)
			set_argument(thread, call->size, size > 1 << 20 ? 100 : size / 2);
	} else if ((first && (is_fault("error") || is_fault("broken"))) ||
	           (!first && call->needs_disk && (is_fault("broken") || is_fault("full")))) {
		refuse(thread, error_number);
	}
}

int main(int argc, char **argv)
{
	enum { KNOWN = 1024 };
	static pid_t known[KNOWN];
	int status, ended = 125;

	if (argc < 6) {
		fprintf(stderr, "usage: tracer FOLDER NUMBER FAULT LOG PROGRAM ARGUMENT...\n");
		return 125;
	}
	folder = argv[1];
	chosen = strtol(argv[2], NULL, 10);
	fault = argv[3];
	if (strchr(fault, ':'))
		error_number = atoi(strchr(fault, ':') + 1);
	record = fopen(argv[4], "we");
	if (!record)
		fail(argv[4]);
	program = fork();
	if (program < 0)
		fail("fork");
	if (program == 0) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0))
			fail("ptrace");
		raise(SIGSTOP);
		filter_calls();
		execvp(argv[5], argv + 5);
		fail(argv[5]);
	}
	if (waitpid(program, &status, 0) != program || !WIFSTOPPED(status))
		fail("starting the program");
	long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
	               PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC;
	if (ptrace(PTRACE_SETOPTIONS, program, 0, options) || ptrace(PTRACE_CONT, program, 0, 0))
		fail("tracing the program");
	/* A program that hangs ends with the tracer. */
	alarm(120);
	for (;;) {
		pid_t thread = waitpid(-1, &status, __WALL);
		if (thread < 0)
			break;
		if (WIFEXITED(status) || WIFSIGNALED(status)) {
			if (thread == program)
				ended = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
			continue;
		}
		int signal = WSTOPSIG(status), event = status >> 16, slot = thread % KNOWN;
		if (event == PTRACE_EVENT_SECCOMP)
			at_call(thread);
		/* A new thread starts with a stop that is not its own. */
		int pass = event || signal == SIGTRAP || (signal == SIGSTOP && known[slot] != thread) ? 0 : signal;
		if (thread != program)
			known[slot] = thread;
		ptrace(PTRACE_CONT, thread, 0, pass);
	}
	fclose(record);
	return ended;
}
