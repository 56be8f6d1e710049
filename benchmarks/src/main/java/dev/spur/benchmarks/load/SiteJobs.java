package dev.spur.benchmarks.load;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Active jobs of a site, shared by the submitters and the executors. */
final class SiteJobs {
    private final double meanSeconds;
    private final Map<String, Life> jobs = new ConcurrentHashMap<>();
    /** Jobs that started before the response to their submission arrived. */
    private final Set<String> startedEarly = ConcurrentHashMap.newKeySet();

    private final AtomicLong ended = new AtomicLong();

    /** @param meanSeconds mean run time of a job */
    SiteJobs(double meanSeconds) {
        this.meanSeconds = meanSeconds;
    }

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
        synchronized double remaining() {
            return Math.max(0, work - done);
        }

        /** Adds {@code seconds} of run time and returns the total. */
        synchronized double ran(double seconds) {
            done = Math.min(work, done + seconds);
            return done;
        }
    }

    /** Adds a job that the service has accepted, with its run time. */
    void add(String id, double seconds) {
        if (!startedEarly.remove(id)) {
            jobs.put(id, new Life(seconds));
        }
    }

    /**
     * Returns a job that an executor starts. A job whose submission has no response yet gets the mean run time. The
     * response can also be lost, so the executor must not wait for it.
     */
    Life starting(String id) {
        return jobs.computeIfAbsent(id, early -> {
            startedEarly.add(early);
            return new Life(meanSeconds);
        });
    }

    /** Returns an active job; empty if the id is unknown. */
    Optional<Life> job(String id) {
        return Optional.ofNullable(jobs.get(id));
    }

    /** Removes a job that has ended. */
    void remove(String id) {
        if (jobs.remove(id) != null) {
            ended.incrementAndGet();
        }
    }

    /** Returns the number of active jobs. */
    int active() {
        return jobs.size();
    }

    /** Returns the number of ended jobs. */
    long endedJobs() {
        return ended.get();
    }

    /** Returns an active job, which changes as jobs arrive and end; empty if there is none. */
    Optional<String> any() {
        return jobs.keySet().stream().findAny();
    }
}
