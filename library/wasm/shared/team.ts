/**
 * Threads that share the tasks of jobs inside one kernel call: the leader starts jobs, the others wait and help. A waiting
 * thread spins for about the time of a wake-up and then sleeps: a spinning thread takes time from those that have work.
 *
 * The team's block of memory, in bytes:
 *     0  i64  the job's number in the upper and the tasks that nobody has taken in the lower half, so that a task of one job
 *             cannot be mistaken for one of another; −1: there are no more jobs. Helping threads sleep here.
 *    16  i32  helping threads that sleep
 *    64  i32  tasks not finished, on a cache line of its own. The leader sleeps here.
 *    72  i32  1 while the leader sleeps
 *    76  i32  1 after a thread has failed (a trap): its task is never finished, so all others stop waiting
 *   128  i32  tasks of the job
 *   132  …    arguments of the job; the leader writes them before it starts the job
 */
const ASLEEP: usize = 16;
const TASKS_LEFT: usize = 64;
const LEADER_ASLEEP: usize = 72;
const FAILED: usize = 76;
const TASKS: usize = 128;
const DONE: i64 = -1;

/** Number of reads of the job word, each after 32 stores, before a helping thread sleeps: about 0.1 ms. */
const HELPER_LOOKS: i32 = 8_000;
/** Number of reads of the unfinished tasks before the leader sleeps: about 0.1 ms. */
const LEADER_LOOKS: i32 = 100_000;
/** A wait for the tasks of others that counts as lost where the leader cannot sleep: some milliseconds. */
const MOST_LOOKS: i32 = 5_000_000;
const TIMED_OUT: i32 = 2;

/** Whether this thread may sleep: the main thread of a page may not. A global of this module instance. */
let maySleep: bool = false;

export function allowSleep(may: i32): void {
  maySleep = may != 0;
}

/** Call before any thread joins: one that already sleeps would no longer be counted and never wake up. Zeroed memory is an open team. */
export function openTeam(team: usize): void {
  store<i32>(team, 0, ASLEEP);
  store<i32>(team, 0, LEADER_ASLEEP);
  store<i32>(team, 0, FAILED);
  atomic.store<i64>(team, 0);
}

/** The team of this thread until `closeTeam`, or until `awaitJob` returns 0; 0: none. A global of this module instance. */
let joined: usize = 0;

/** Call before anything that may fail: from here on the others of the team wait for this thread. */
export function joinTeam(team: usize): void {
  joined = team;
}

/** The leader releases the helping threads. */
export function closeTeam(team: usize): void {
  joined = 0;
  announce(team, DONE);
}

/**
 * For a thread whose kernel has failed: no thread waits for it any more. The order of the stores matters: a leader that starts a
 * job between the first two assigns its tasks as usual, and one that started it earlier has no unfinished tasks to wait for.
 */
export function abandonTeam(): void {
  const team = joined;
  if (team == 0) return;
  joined = 0;
  atomic.store<i32>(team, 1, FAILED);
  atomic.store<i64>(team, DONE);
  atomic.store<i32>(team, 0, TASKS_LEFT);
  atomic.notify(team, -1);
  atomic.notify(team + TASKS_LEFT, -1);
}

// @inline
function announce(team: usize, word: i64): void {
  atomic.store<i64>(team, word);
  // A helping thread counts itself before it reads the word again: one of the two notices the other.
  const asleep = atomic.load<i32>(team, ASLEEP);
  if (asleep > 0) atomic.notify(team, asleep);
}

/** Number of jobs that the leader runs alone after waiting too long: four times as many each time, up to a limit. */
const FEWEST_ALONE: i32 = 64;
const MOST_ALONE: i32 = 16384;
let alone: i32 = 0;
let pause: i32 = FEWEST_ALONE;

/** Whether the next job is shared: not for a while if other programs keep the machine busy. */
export function mayShare(): bool {
  if (alone == 0) return true;
  alone--;
  return false;
}

/** Starts a job and returns its number. */
export function startJob(team: usize, tasks: i32): i64 {
  store<i32>(team, tasks, TASKS);
  store<i32>(team, tasks, TASKS_LEFT);
  const job = (atomic.load<i64>(team) >> 32) + 1;
  announce(team, (job << 32) | <i64>tasks);
  return job;
}

/**
 * The next task of a job, −1 if none remain. A thread that takes one must call `finishTask` afterwards.
 *
 * Whether tasks remain is read from the job's word alone. The number at TASKS is that of this job only while one of its tasks is
 * unfinished: after the last one the leader writes that of the next job, and a thread that compared it with the word of the old job
 * would take a task that neither of them has.
 */
export function takeTask(team: usize, job: i64): i32 {
  let word = atomic.load<i64>(team);
  while (word >> 32 == job && <i32>word > 0) {
    const found = atomic.cmpxchg<i64>(team, word, word - 1);
    if (found == word) return load<i32>(team, TASKS) - <i32>word;
    word = found;
  }
  return -1;
}

// @inline
export function finishTask(team: usize): void {
  const last = atomic.sub<i32>(team, 1, TASKS_LEFT) == 1;
  if (last && atomic.load<i32>(team, LEADER_ASLEEP) == 1) atomic.notify(team + TASKS_LEFT, 1);
}

/**
 * Waits for the tasks of others. If that takes more than `patience` nanoseconds, the thread with the last one was probably
 * preempted: the leader runs jobs alone for a while.
 */
export function awaitTasks(team: usize, patience: i64): void {
  let looks: i32 = 0;
  while (atomic.load<i32>(team, TASKS_LEFT) > 0 && (looks < LEADER_LOOKS || !maySleep)) looks++;
  let lost = looks > MOST_LOOKS;
  if (atomic.load<i32>(team, TASKS_LEFT) > 0) {
    atomic.store<i32>(team, 1, LEADER_ASLEEP);
    for (let left = atomic.load<i32>(team, TASKS_LEFT); left > 0; left = atomic.load<i32>(team, TASKS_LEFT)) {
      if (<i32>atomic.wait<i32>(team + TASKS_LEFT, left, lost ? -1 : patience) == TIMED_OUT) lost = true;
    }
    atomic.store<i32>(team, 0, LEADER_ASLEEP);
  }
  // The work of the failed thread is missing.
  if (atomic.load<i32>(team, FAILED) != 0) unreachable();
  if (lost) {
    alone = pause;
    pause = min(4 * pause, MOST_ALONE);
  } else pause = max(pause - (pause >> 6) - 1, FEWEST_ALONE);
}

/** A helping thread waits for a job after number `seen`; 0: there are no more. `idle` is an address that only this thread uses. */
export function awaitJob(team: usize, seen: i64, idle: usize): i64 {
  let word = atomic.load<i64>(team);
  for (let looks: i32 = 0; word >> 32 == seen; looks++) {
    if (looks >= HELPER_LOOKS && maySleep) {
      atomic.add<i32>(team, 1, ASLEEP);
      atomic.wait<i64>(team, word, -1);
      atomic.sub<i32>(team, 1, ASLEEP);
      looks = 0;
    } else {
      // Reading continuously would slow down the writer.
      for (let e: i32 = 0; e < 32; e++) store<i32>(idle, e);
    }
    word = atomic.load<i64>(team);
  }
  if (word != DONE) return word >> 32;
  joined = 0;
  return 0;
}
