package dev.spur.simulator.replay;

import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.HostGrant;
import dev.spur.simulator.trace.GroundTruth;
import dev.spur.simulator.trace.ProgressRate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Progress of a job in one configuration, with changing host resources and neighbors. Rates hold on intervals of
 * progress, so the run advances from interval to interval.
 */
final class JobRun {
    /** Ground truth, configuration and slow-down from a point of the run on. */
    private record Mark(GroundTruth truth, Configuration configuration, double slowdown, double at, double done) {
        JobRun run() {
            JobRun run = new JobRun(truth, configuration, at, done);
            run.slowdown = slowdown;
            return run;
        }
    }

    /** Another configuration, which the run adopts {@code stall} seconds after {@code from}. */
    private record Change(Configuration configuration, double from, double stall) {
        Change withHost(@Nullable HostGrant host) {
            return new Change(configuration.withHost(host), from, stall);
        }
    }

    private final double startSeconds;
    private final List<Mark> marks = new ArrayList<>();
    private final Set<Configuration> pastConfigurations = new LinkedHashSet<>();
    private GroundTruth truth;
    private Configuration configuration;
    /** Factor of the step time by neighbors, at least 1. */
    private double slowdown = 1;

    /** Time at which a time limit ends the job; infinite if none does. */
    private double limit = Double.POSITIVE_INFINITY;

    private double at;
    private double done;
    private @Nullable ProgressRate progressRate;
    /** The change that the run prepares; null for none. */
    private @Nullable Change next;

    /**
     * Creates a run.
     *
     * @param startSeconds time of the first progress
     * @param done effective samples done before
     */
    JobRun(GroundTruth truth, Configuration configuration, double startSeconds, double done) {
        this.truth = truth;
        this.configuration = configuration;
        this.startSeconds = startSeconds;
        this.at = startSeconds;
        this.done = done;
        mark();
    }

    /** Ends the job at {@code time} at the latest. Returns this run. */
    JobRun endingBy(double time) {
        limit = time;
        return this;
    }

    /**
     * Continues with the ground truth that the job has learned by {@code time}, which is no earlier than any time
     * queried before.
     */
    void learn(GroundTruth learnedTruth, double time) {
        samplesDone(time);
        truth = learnedTruth;
        mark();
    }

    /**
     * Continues from {@code time} with steps that take {@code factor} times as long as on nodes without other jobs. The
     * time is no earlier than any time queried before.
     *
     * @param factor at least 1
     * @return true if the factor changed
     */
    boolean slowDown(double factor, double time) {
        if (factor == slowdown) {
            return false;
        }
        samplesDone(time);
        slowdown = factor;
        mark();
        return true;
    }

    private void mark() {
        progressRate = null;
        marks.add(new Mark(truth, configuration, slowdown, at, done));
    }

    /**
     * Continues from {@code time} with the host resources {@code host}. The time is no earlier than any time queried
     * before.
     *
     * @return true if the host resources changed
     */
    boolean grant(@Nullable HostGrant host, double time) {
        if (Objects.equals(host, configuration.host())) {
            return false;
        }
        samplesDone(time);
        configuration = configuration.withHost(host);
        next = next == null ? null : next.withHost(host);
        mark();
        return true;
    }

    /**
     * Continues as before for {@code warmUp} seconds from {@code time}, then stalls for {@code stall} seconds, and then
     * continues in {@code other}. Replaces a change that the run prepares. The time is no earlier than any time queried
     * before.
     */
    void change(Configuration other, double time, double warmUp, double stall) {
        samplesDone(time);
        next = new Change(other, Math.max(at, time) + warmUp, stall);
        if (warmUp == 0) {
            adopt(next);
        }
    }

    private void adopt(Change due) {
        next = null;
        advance(due.from());
        configuration = due.configuration();
        at = Math.max(at, due.from()) + due.stall();
        mark();
    }

    /** Returns the configurations with progress up to the latest time queried. */
    Set<Configuration> pastConfigurations() {
        return pastConfigurations;
    }

    /** Returns the effective samples done at {@code time}, which is no earlier than any time queried before. */
    double samplesDone(double time) {
        if (next != null && next.from() < time) {
            adopt(next);
        }
        return advance(time);
    }

    private double advance(double time) {
        while (at < time) {
            ProgressRate rate = progressRate();
            pastConfigurations.add(truth.running(configuration, done));
            double reached = at + secondsTo(rate);
            if (reached > time) {
                done += rate.samplesPerSecond() * (time - at);
                at = time;
            } else if (rate.endsThere()) {
                done = Math.max(done, rate.untilSamples());
                at = time;
            } else {
                advanceTo(rate, reached);
            }
        }
        return done;
    }

    /**
     * Returns the end of the job with the change that the run prepares, or by its time limit; infinite if it never
     * ends. The state of the run does not change.
     */
    double end() {
        double unchanged = end(null);
        return Math.min(limit, next == null || unchanged <= next.from() ? unchanged : end(next));
    }

    private double end(@Nullable Change change) {
        JobRun ahead = new Mark(truth, configuration, slowdown, at, done).run();
        if (change != null) {
            ahead.adopt(change);
        }
        while (true) {
            ProgressRate rate = ahead.progressRate();
            double reached = ahead.at + ahead.secondsTo(rate);
            if (rate.endsThere() || Double.isInfinite(reached)) {
                return reached;
            }
            ahead.advanceTo(rate, reached);
        }
    }

    /** Returns the seconds until {@code samples} are done, at least the samples done now; infinite if never. */
    double secondsUntil(double samples) {
        JobRun ahead = new Mark(truth, configuration, slowdown, 0, done).run();
        while (ahead.done < samples) {
            ProgressRate rate = ahead.progressRate();
            if (rate.samplesPerSecond() == 0) {
                return Double.POSITIVE_INFINITY;
            }
            if (rate.untilSamples() >= samples || rate.endsThere()) {
                return ahead.at + (samples - ahead.done) / rate.samplesPerSecond();
            }
            ahead.advanceTo(rate, ahead.at + ahead.secondsTo(rate));
        }
        return ahead.at;
    }

    /**
     * Returns the effective samples saved by {@code time} if the job saves them after each {@code everySeconds} of its
     * run.
     */
    double savedBy(double time, double everySeconds) {
        double saves = Math.floor(Math.max(0, time - startSeconds) / everySeconds);
        double saved = startSeconds + saves * everySeconds;
        Mark last = marks.get(0);
        for (Mark mark : marks) {
            last = mark.at <= saved ? mark : last;
        }
        return last.run().samplesDone(saved);
    }

    /** Returns true if there has been progress by {@code time}. */
    boolean hasBegunBy(double time) {
        return time > startSeconds;
    }

    private ProgressRate progressRate() {
        if (progressRate == null) {
            ProgressRate alone = truth.progressRate(configuration, done);
            progressRate =
                    new ProgressRate(alone.samplesPerSecond() / slowdown, alone.untilSamples(), alone.endsThere());
            if (!progressRate.endsThere() && progressRate.untilSamples() <= done) {
                throw new IllegalStateException("%s: untilSamples (%s) must exceed the present progress (%s)"
                        .formatted(progressRate, progressRate.untilSamples(), done));
            }
        }
        return progressRate;
    }

    private double secondsTo(ProgressRate rate) {
        double left = rate.untilSamples() - done;
        if (left <= 0) {
            return 0;
        }
        return rate.samplesPerSecond() == 0 ? Double.POSITIVE_INFINITY : left / rate.samplesPerSecond();
    }

    private void advanceTo(ProgressRate rate, double reached) {
        at = reached;
        done = rate.untilSamples();
        progressRate = null;
    }
}
