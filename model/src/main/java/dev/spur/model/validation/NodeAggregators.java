package dev.spur.model.validation;

/**
 * CPUs of the aggregators of a node: those of jobs that do not share, plus the larger one of what sharing jobs add and
 * the largest share of one of them.
 */
final class NodeAggregators {
    private static final double TOLERANCE = 1e-6;
    /** Rounding of the share of a job on a node. */
    private static final double SHARE_ROUNDING = 0.002;

    private double dedicated;
    private double shared;
    private double widest;
    private int shares;

    void add(double slots, SharedAggregation aggregation) {
        if (aggregation.shares()) {
            shared += slots * aggregation.cpusPerSlot();
            widest = Math.max(widest, slots);
            shares++;
        } else {
            dedicated += slots;
        }
    }

    double cpus() {
        return dedicated + Math.max(shared, widest);
    }

    /** Returns the CPUs by which rounding may exceed a limit. */
    double tolerance() {
        return TOLERANCE + (shares > 1 ? SHARE_ROUNDING * shares : 0);
    }
}
