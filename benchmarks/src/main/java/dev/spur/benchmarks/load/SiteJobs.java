package dev.spur.benchmarks.load;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Active jobs of a site, shared by the submitters and the executors. */
final class SiteJobs {
    private final Map<String, Life> jobs = new ConcurrentHashMap<>();
    private final AtomicLong ended = new AtomicLong();

    /** A job from submission to end. */
    static final class Life {
        private final long submitted = System.nanoTime();
        private final double work;
        private double done;
        private boolean started;

        private Life(double work) {
            this.work = work;
        }

        /** Returns the waiting time at the first start, nanoseconds; empty for later starts. */
        synchronized Optional<Long> start() {
            boolean first = !started;
            started = true;
            return first ? Optional.of(System.nanoTime() - submitted) : Optional.empty();
        }

        /** Returns the remaining run time, s. */
        synchronized double left() {
            return Math.max(0, work - done);
        }

        /** Adds {@code seconds} of run time and returns the total. */
        synchronized double ran(double seconds) {
            done = Math.min(work, done + seconds);
            return done;
        }
    }

    /** Adds a job that the service has accepted, with its run time. */
    void accepted(String id, double seconds) {
        jobs.put(id, new Life(seconds));
    }

    /** Returns an active job; empty if the id is unknown. */
    Optional<Life> job(String id) {
        return Optional.ofNullable(jobs.get(id));
    }

    /** Removes a job that has ended. */
    void ended(String id) {
        if (jobs.remove(id) != null) {
            ended.incrementAndGet();
        }
    }

    /** Returns the number of active jobs. */
    int active() {
        return jobs.size();
    }

    /** Returns the number of ended jobs. */
    long ended() {
        return ended.get();
    }

    /** Returns an active job, which changes as jobs arrive and end; empty if there is none. */
    Optional<String> any() {
        return jobs.keySet().stream().findAny();
    }
}
