/**
 * Threads that share the tasks of jobs inside one kernel call: one of them leads and gives out jobs, the others wait and help. Who waits
 * spins for about as long as waking up would take, and then sleeps: a thread that spins takes time from whoever has work.
 *
 * The team's block of memory, in bytes:
 *     0  i64  the job's number in the upper and the next task in the lower half, so that nobody can take a task of one job for one
 *             of another; −1: there are no more jobs. Helping threads sleep here.
 *    16  i32  helping threads that sleep
 *    64  i32  tasks not finished, on a cache line of its own. The leader sleeps here.
 *    72  i32  1 while the leader sleeps
 *    76  i32  1 after a thread has failed (a trap): its task is never finished, so all others give up
 *   128  i32  tasks of the job
 *   132  …    what else a job is about; the leader writes it before it starts the job
 */
const ASLEEP: usize = 16;
const TASKS_LEFT: usize = 64;
const LEADER_ASLEEP: usize = 72;
const FAILED: usize = 76;
const TASKS: usize = 128;
const DONE: i64 = -1;

/** Looks at a job's word, each after 32 stores, before a helping thread sleeps: about 0.1 ms. */
const HELPER_LOOKS: i32 = 8_000;
/** Looks at the tasks left before the leader sleeps: about 0.1 ms. */
const LEADER_LOOKS: i32 = 100_000;
/** A wait for the tasks of others that counts as lost where the leader cannot sleep: some milliseconds. */
const MOST_LOOKS: i32 = 5_000_000;
const TIMED_OUT: i32 = 2;

/** Whether this thread may sleep: that of a page may not. Of this instance of the module. */
let maySleep: bool = false;

export function allowSleep(may: i32): void {
  maySleep = may != 0;
}

/** Before any thread joins: one that sleeps already would not be counted any more, and never wake up. Memory of zeros is an open team. */
export function openTeam(team: usize): void {
  store<i32>(team, 0, ASLEEP);
  store<i32>(team, 0, LEADER_ASLEEP);
  store<i32>(team, 0, FAILED);
  atomic.store<i64>(team, 0);
}

/** The team that this thread belongs to until `closeTeam`, or until `awaitJob` returns 0; 0: none. Of this instance of the module. */
let joined: usize = 0;

/** Before anything that may fail: from here on the others of the team rely on this thread. */
export function joinTeam(team: usize): void {
  joined = team;
}

/** The leader sends the helping threads home. */
export function closeTeam(team: usize): void {
  joined = 0;
  announce(team, DONE);
}

/**
 * For a thread whose kernel has failed: nobody waits for it any more. The order of the stores matters: a leader that starts a job
 * between the first two gives out its tasks as always, and one that starts it before has no tasks left to wait for.
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
  // A helping thread counts itself before it looks at the word once more: one of the two sees the other.
  const asleep = atomic.load<i32>(team, ASLEEP);
  if (asleep > 0) atomic.notify(team, asleep);
}

/** Jobs that are not shared after the leader has waited too long: four times as many each time, up to a limit. */
const FEWEST_ALONE: i32 = 64;
const MOST_ALONE: i32 = 16384;
let alone: i32 = 0;
let pause: i32 = FEWEST_ALONE;

/** Whether the next job is to be shared: for a while it is not, if the machine is busy with something else. */
export function mayShare(): bool {
  if (alone == 0) return true;
  alone--;
  return false;
}

/** Gives out a job, and returns its number. */
export function startJob(team: usize, tasks: i32): i64 {
  store<i32>(team, tasks, TASKS);
  store<i32>(team, tasks, TASKS_LEFT);
  const job = (atomic.load<i64>(team) >> 32) + 1;
  announce(team, job << 32);
  return job;
}

/** The next task of a job, −1 if there is none left. Whoever takes one calls `finishTask` after it. */
export function takeTask(team: usize, job: i64): i32 {
  const tasks = load<i32>(team, TASKS);
  let word = atomic.load<i64>(team);
  while (word >> 32 == job && <i32>(word & 0xffffffff) < tasks) {
    const found = atomic.cmpxchg<i64>(team, word, word + 1);
    if (found == word) return <i32>(word & 0xffffffff);
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
 * Waits for the tasks of others. If that takes more than `patience` nanoseconds, whoever holds the last one must have lost its
 * processor: jobs are not shared for a while.
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
  // What the thread that failed should have done is missing.
  if (atomic.load<i32>(team, FAILED) != 0) unreachable();
  if (lost) {
    alone = pause;
    pause = min(4 * pause, MOST_ALONE);
  } else pause = max(pause - (pause >> 6) - 1, FEWEST_ALONE);
}

/** A helping thread waits for a job after number `seen`; 0: there are no more. `idle` is a place in memory of its own. */
export function awaitJob(team: usize, seen: i64, idle: usize): i64 {
  let word = atomic.load<i64>(team);
  for (let looks: i32 = 0; word >> 32 == seen; looks++) {
    if (looks >= HELPER_LOOKS && maySleep) {
      atomic.add<i32>(team, 1, ASLEEP);
      atomic.wait<i64>(team, word, -1);
      atomic.sub<i32>(team, 1, ASLEEP);
      looks = 0;
    } else {
      // Reading all the time would slow down whoever writes.
      for (let e: i32 = 0; e < 32; e++) store<i32>(idle, e);
    }
    word = atomic.load<i64>(team);
  }
  if (word != DONE) return word >> 32;
  joined = 0;
  return 0;
}
