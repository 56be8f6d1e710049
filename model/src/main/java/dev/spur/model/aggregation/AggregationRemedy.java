package dev.spur.model.aggregation;

/**
 * Remedy for a job whose shards fit on no shared aggregators within the limits of sharing.
 *
 * @param kind action of the round
 */
public record AggregationRemedy(String jobId, Kind kind) {
    /** Kind of a remedy, in the order in which a round tries them. */
    public enum Kind {
        /** The job has aggregators of its own from this round on. */
        OWN_CPUS("Its shards fit on no shared aggregators within the limits, so it has aggregators of its own."),
        /** The job may use only AllReduce from the next round on. */
        ALL_REDUCE(
                "Its shards fit on no shared aggregators within the limits, so the next round plans it with AllReduce."),
        /** The job has no other strategy, and shares above the limits. */
        NONE("Its shards fit on no shared aggregators within the limits, so it may wait longer for sums.");

        private final String message;

        Kind(String message) {
            this.message = message;
        }

        /** Returns the remedy as a sentence. */
        public String message() {
            return message;
        }
    }
}
