package dev.spur.simulator.experiment;

import dev.spur.simulator.report.Summary;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What is compared of replays. */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
public enum ReplayMetric {
    /** Mean time from arrival to end. */
    MEAN_JCT("mean JCT (s)", "%.0f", Summary::meanJctSeconds),
    /** Time from arrival to end of the worst percent. */
    P99_JCT("p99 JCT (s)", "%.0f", Summary::p99JctSeconds),
    /** Mean time from arrival to first start. */
    QUEUEING("queueing (s)", "%.0f", Summary::meanQueueingSeconds),
    /** Mean time from first start to end. */
    TRAINING("training (s)", "%.0f", Summary::meanTrainingSeconds),
    /** Slots that the work would have taken on the fewest of each job, over those held, both over time. */
    EFFICIENCY("efficiency", "%.3f", Summary::trainingEfficiency),
    /** Jobs that ended while others still arrived. */
    ENDED_BY_LAST_ARRIVAL("ended by last arrival", "%.1f", Summary::endedByLastArrival),
    /** Starts after the first one, for each job. */
    RESTARTS("restarts/job", "%.2f", Summary::restartsPerJob),
    /** Largest finish-time fairness. */
    WORST_FAIRNESS("worst FTF", "%.2f", Summary::worstFairness),
    /** Jobs that never ended. */
    UNFINISHED("never ended", "%.1f", Summary::unfinished),
    /** Mean time of a decision on the clock. */
    DECISION("decision (ms)", "%.1f", summary -> 1000 * summary.meanDecisionSeconds());

    private final String title;
    private final String format;
    private final ToDoubleFunction<Summary> value;

    ReplayMetric(String title, String format, ToDoubleFunction<Summary> value) {
        this.title = title;
        this.format = format;
        this.value = value;
    }

    /** Title of a column, with its unit. */
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
