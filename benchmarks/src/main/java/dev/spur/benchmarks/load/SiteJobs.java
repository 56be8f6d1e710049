package dev.spur.benchmarks.load;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The jobs of a site that are not over: what those who submit and those who run them both have to know. */
final class SiteJobs {
    private final Map<String, Life> jobs = new ConcurrentHashMap<>();
    private final AtomicLong ended = new AtomicLong();

    /** A job, from its submission to its end. */
    static final class Life {
        private final long submitted = System.nanoTime();
        private final double work;
        private double done;
        private boolean started;

        private Life(double work) {
            this.work = work;
        }

        /** How long it has waited if this is its first start, nanoseconds. */
        synchronized Optional<Long> start() {
            boolean first = !started;
            started = true;
            return first ? Optional.of(System.nanoTime() - submitted) : Optional.empty();
        }

        /** Seconds that it has yet to run. */
        synchronized double left() {
            return Math.max(0, work - done);
        }

        /** It has run for so many seconds more; all that it has run. */
        synchronized double ran(double seconds) {
            done = Math.min(work, done + seconds);
            return done;
        }
    }

    /** The service has accepted a job that is to run for so many seconds. */
    void accepted(String id, double seconds) {
        jobs.put(id, new Life(seconds));
    }

    /** A job that is not over; empty if nobody knows it. */
    Optional<Life> job(String id) {
        return Optional.ofNullable(jobs.get(id));
    }

    /** A job has reached its end. */
    void ended(String id) {
        if (jobs.remove(id) != null) {
            ended.incrementAndGet();
        }
    }

    /** Jobs that are not over. */
    int active() {
        return jobs.size();
    }

    /** Jobs that are over. */
    long ended() {
        return ended.get();
    }

    /** A job that is not over, another one each time as jobs come and go; empty if there is none. */
    Optional<String> any() {
        return jobs.keySet().stream().findAny();
    }
}
