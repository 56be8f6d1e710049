package dev.spur.simulator.experiment;

import dev.spur.simulator.report.Summary;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Compared metrics of replays. */
@SuppressWarnings("ImmutableEnumChecker") // the functions are stateless
public enum ReplayMetric {
    /** Mean time from arrival to end. */
    MEAN_JCT("mean JCT (s)", "%.0f", Summary::meanJctSeconds),
    /** 99th percentile of the time from arrival to end. */
    P99_JCT("p99 JCT (s)", "%.0f", Summary::p99JctSeconds),
    /** Mean time from arrival to first start. */
    QUEUEING("queueing (s)", "%.0f", Summary::meanQueueingSeconds),
    /** Mean time from first start to end. */
    TRAINING("training (s)", "%.0f", Summary::meanTrainingSeconds),
    /** Slot-time that the work would have taken on each job's minimum slots, divided by the slot-time held. */
    EFFICIENCY("efficiency", "%.3f", Summary::trainingEfficiency),
    /** Number of jobs that ended by the last arrival. */
    ENDED_BY_LAST_ARRIVAL("ended by last arrival", "%.1f", Summary::endedByLastArrival),
    /** Starts per job after the first one. */
    RESTARTS("restarts/job", "%.2f", Summary::restartsPerJob),
    /** Largest finish-time fairness. */
    WORST_FAIRNESS("worst FTF", "%.2f", Summary::worstFairness),
    /** Number of jobs that did not end. */
    UNFINISHED("never ended", "%.1f", Summary::unfinished),
    /** Mean wall-clock time of a decision. */
    DECISION("decision (ms)", "%.1f", summary -> 1000 * summary.meanDecisionSeconds());

    private final String title;
    private final String format;
    private final ToDoubleFunction<Summary> value;

    ReplayMetric(String title, String format, ToDoubleFunction<Summary> value) {
        this.title = title;
        this.format = format;
        this.value = value;
    }

    /** Returns the column title with its unit. */
    public String title() {
        return title;
    }

    double of(Summary summary) {
        return value.applyAsDouble(summary);
    }

    String text(double number) {
        return String.format(Locale.ROOT, format, number);
    }
}
