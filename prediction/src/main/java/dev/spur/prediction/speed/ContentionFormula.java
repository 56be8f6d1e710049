package dev.spur.prediction.speed;

import dev.spur.model.performance.SyncStrategy;

/**
 * Compute, followed by synchronization that partly overlaps with it, with two effects that formulas without nodes lack.
 * The slots of a node share its host, so that passes take longer with more slots. They also share its network card, so
 * that synchronization across nodes takes longer.
 *
 * <pre>
 * pass = (a + b m) (1 + h log2 p)                          p = slots per node, rounded up
 * sync = 0 on one slot;  r + r' log2 k on one node;  c + c' (p - 1) + c'' log2 n across n nodes
 * step = s pass + (pass^gamma + sync^gamma)^(1/gamma)
 * </pre>
 */
final class ContentionFormula implements Formula {
    private static final double LOG_TWO = Math.log(2);

    @Override
    public String name() {
        return "contention";
    }

    @Override
    public boolean covers(SyncStrategy strategy) {
        return strategy == SyncStrategy.ALL_REDUCE;
    }

    @Override
    public Gaussian usual(double seconds, double perSlotBatch) {
        double time = Math.log(seconds);
        return Gaussian.independent(
                new double[] {
                    time - 1.2,
                    time - 0.4 - Math.log(perSlotBatch),
                    Math.log(0.02),
                    time - 3,
                    time - 3,
                    time - 1.5,
                    time - 3,
                    time - 3,
                    0
                },
                new double[] {1, 0.6, 1.2, 1, 1, 1, 1.2, 1.2, 1.5});
    }

    @Override
    public double[] times() {
        return new double[] {1, 1, 0, 1, 1, 1, 1, 1, 0};
    }

    @Override
    public double logSeconds(double[] p, StepShape shape) {
        int perNode = shape.slotsPerNode();
        double pass = (Math.exp(p[0]) + Math.exp(p[1]) * shape.perSlotBatch())
                * (1 + Math.exp(p[2]) * Math.log(perNode) / LOG_TWO);
        if (shape.slots() == 1) {
            return Math.log(pass * (shape.accumulationSteps() + 1));
        }
        double sync = shape.nodes() == 1
                ? Math.exp(p[3]) + Math.exp(p[4]) * Math.log(shape.slots()) / LOG_TWO
                : Math.exp(p[5]) + Math.exp(p[6]) * (perNode - 1) + Math.exp(p[7]) * Math.log(shape.nodes()) / LOG_TWO;
        return Math.log(shape.accumulationSteps() * pass + PolluxFormula.overlapping(pass, sync, p[8]));
    }
}
