"""Time and memory of a fit, as src/contestants/measure.ts takes them."""

import json
import re
import resource
import time


def status(field):
    try:
        with open("/proc/self/status") as f:
            return int(re.search(field + r":\s+(\d+) kB", f.read()).group(1)) * 1024
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def forget_peak():
    """Makes the high-water mark start again from now, so that reading the data does not count as fitting."""
    try:
        with open("/proc/self/clear_refs", "w") as f:
            f.write("5")
    except OSError:
        pass  # not Linux: the mark stays that of the whole process, an upper bound


def time_fits(fit, job, per_call=1):
    """The first fit, then more until there are enough of them and they took long enough, or the budget is spent.
    A call may do several fits: times are those of one."""
    forget_peak()
    before_bytes = status("VmRSS")
    start = time.perf_counter()
    result = fit()
    cold = best = time.perf_counter() - start
    peak = status("VmHWM")
    fits = 1
    while True:
        spent = time.perf_counter() - start
        if (fits >= job["minFits"] and spent >= job["minSeconds"]) or spent >= job["budgetSeconds"]:
            break
        before = time.perf_counter()
        result = fit()
        best = min(best, time.perf_counter() - before)
        fits += 1
    return result, {"cold": cold / per_call, "best": best / per_call, "fits": fits * per_call,
                    "residentBefore": before_bytes, "residentPeak": peak}


def time_calls(call, seconds):
    """Seconds of one call: the best mean of a batch."""
    first = time.perf_counter()
    call(0)
    cold = time.perf_counter() - first
    batch, fits, best = 100, 1, float("inf")
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        before = time.perf_counter()
        for i in range(batch):
            call(i)
        best = min(best, (time.perf_counter() - before) / batch)
        fits += batch
    return {"cold": cold, "best": best, "fits": fits,
            "residentBefore": status("VmRSS"), "residentPeak": status("VmHWM")}


def report(measurement):
    print(json.dumps(measurement), flush=True)
