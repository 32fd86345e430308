#include "worker_thread.hpp"

#include <atomic>
#include <csignal>
#include <system_error>

#if defined(__linux__)
#include <sched.h>
#include <unistd.h>
#endif

namespace strided {
namespace {

std::atomic<int> startable{-1};

bool may_start() {
  int left = startable.load();
  while (left > 0 && !startable.compare_exchange_weak(left, left - 1)) {
  }
  return left != 0;
}

}  // namespace

void limit_started_threads(int most) { startable.store(most < 0 ? -1 : most); }

void* WorkerThread::enter(void* self) {
  auto* const thread = static_cast<WorkerThread*>(self);
  thread->work_(thread->argument_);
  return nullptr;
}

bool WorkerThread::start(void (*work)(void*), void* argument) {
  work_ = work;
  argument_ = argument;
  if (!may_start()) return false;
#if defined(STRIDED_HAS_PTHREADS)
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setstacksize(&attributes, kWorkerStackBytes);
#if defined(__GLIBC__)
  // A thread inherits the mask of its maker, which may be a thread that its owner pinned.
  cpu_set_t allowed;
  if (sched_getaffinity(getpid(), sizeof(allowed), &allowed) == 0) {
    pthread_attr_setaffinity_np(&attributes, sizeof(allowed), &allowed);
  }
#endif
  // Signals are for the threads of the program. Faults are the exception: they belong to who made them.
  sigset_t blocked, before;
  sigfillset(&blocked);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF}) sigdelset(&blocked, fault);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  const int failed = pthread_create(&thread_, &attributes, &WorkerThread::enter, this);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  return failed == 0;
#else
  try {
    thread_ = std::thread(&WorkerThread::enter, this);
  } catch (const std::system_error&) {
    return false;
  }
  return true;
#endif
}

void WorkerThread::join() {
#if defined(STRIDED_HAS_PTHREADS)
  pthread_join(thread_, nullptr);
#else
  thread_.join();
#endif
}

}  // namespace strided
