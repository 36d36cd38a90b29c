/**
 * Threads that share the tasks of jobs inside one kernel call: one of them leads and gives out jobs, the others wait and help. The team's
 * block of memory has a 64-bit word with the job's number in its upper and the next task in its lower half, so that nobody can take a task
 * of one job for one of another; on other cache lines at 64 the tasks not finished, and at 128 how many there are. What else a job is about
 * the leader writes from 132 on, before it starts the job.
 */
const DONE: i64 = -1;

export function openTeam(team: usize): void {
  atomic.store<i64>(team, 0);
}

/** Sends the helping threads home. */
export function closeTeam(team: usize): void {
  atomic.store<i64>(team, DONE);
}

/** Jobs that are not shared after somebody has waited too long: twice as many each time, up to a limit. */
const FEWEST_ALONE: i32 = 16;
const MOST_ALONE: i32 = 512;
let alone: i32 = 0;
let pause: i32 = FEWEST_ALONE;

/** Whether the next job is to be shared: for a while it is not, if the machine is busy with something else. */
export function mayShare(): bool {
  if (alone == 0) return true;
  alone--;
  return false;
}

/** Gives out a job, and tells its number. */
export function startJob(team: usize, tasks: i32): i64 {
  store<i32>(team, tasks, 128);
  store<i32>(team, tasks, 64);
  const job = (atomic.load<i64>(team) >> 32) + 1;
  atomic.store<i64>(team, job << 32);
  return job;
}

/** The next task of a job, −1 if there is none left. Whoever takes one tells when it is finished. */
export function takeTask(team: usize, job: i64): i32 {
  const tasks = load<i32>(team, 128);
  let word = atomic.load<i64>(team);
  while (word >> 32 == job && <i32>(word & 0xffffffff) < tasks) {
    const found = atomic.cmpxchg<i64>(team, word, word + 1);
    if (found == word) return <i32>(word & 0xffffffff);
    word = found;
  }
  return -1;
}

@inline
export function finishTask(team: usize): void {
  atomic.sub<i32>(team, 1, 64);
}

/** Waits for the tasks of others. After more than `patience` looks whoever holds the last one must have lost its processor. */
export function awaitTasks(team: usize, patience: i32): void {
  let looks: i32 = 0;
  while (atomic.load<i32>(team, 64) > 0) looks++;
  if (looks > patience) {
    alone = pause;
    pause = min(2 * pause, MOST_ALONE);
  } else pause = max(pause - 1, FEWEST_ALONE);
}

/** A helping thread waits for a job after number `seen`; 0: there are no more. `idle` is a place in memory of its own. */
export function awaitJob(team: usize, seen: i64, idle: usize): i64 {
  let word = atomic.load<i64>(team);
  while (word >> 32 == seen) {
    // Reading all the time would slow down whoever writes.
    for (let e: i32 = 0; e < 32; e++) store<i32>(idle, e);
    word = atomic.load<i64>(team);
  }
  return word == DONE ? 0 : word >> 32;
}
