package dev.spur.model.dataprep;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;
import java.util.List;

/**
 * What is asked for to prepare data.
 *
 * @param pools pools whose nodes it may run on and borrow from; empty for all
 * @param cpus host CPUs that it takes, above 0
 * @param workingSetGiB memory in which it is at its fastest, whole GiB, at least 1
 * @param slowDown how much longer it takes with less of it in the memory of its node
 * @param minLocalFraction share of the working set without which it does not start, not below what was measured and up
 *     to 1
 * @param seconds how long all of it takes with the whole working set in the memory of its node, above 0
 * @param weight factor on its worth
 * @param priority each step doubles its weight; from -10 to 10
 */
public record PreparationSpec(
        List<String> pools,
        double cpus,
        int workingSetGiB,
        SlowdownCurve slowDown,
        double minLocalFraction,
        double seconds,
        double weight,
        int priority) {
    public PreparationSpec {
        pools = Checks.copy(pools);
        Checks.positive("cpus", cpus);
        Checks.atLeast("workingSetGiB", workingSetGiB, 1);
        Checks.require(
                minLocalFraction >= slowDown.leastShare() && minLocalFraction <= 1,
                "minLocalFraction (%s) must be from %s, the smallest share of slowDown, to 1",
                minLocalFraction,
                slowDown.leastShare());
        Checks.positive("seconds", seconds);
        Checks.positive("weight", weight);
        Checks.require(
                Math.abs(priority) <= JobSpec.MAX_PRIORITY,
                "priority (%s) must be from -%s to %s",
                priority,
                JobSpec.MAX_PRIORITY,
                JobSpec.MAX_PRIORITY);
    }

    /** Least memory of its own node, whole GiB: from 1 to the working set. */
    public int leastLocalGiB() {
        // what rounding alone puts above a whole number is no further GiB
        return (int) Math.max(1, Math.ceil(minLocalFraction * workingSetGiB - 1e-9));
    }

    /** Factor on the time taken with so much memory of its own node and of others, GiB. */
    public double slowDown(int localGiB, int borrowedGiB) {
        return slowDown.at((double) localGiB / workingSetGiB, (double) borrowedGiB / workingSetGiB);
    }

    /** True if it may use nodes of {@code pool}. */
    public boolean mayUse(String pool) {
        return pools.isEmpty() || pools.contains(pool);
    }

    /** Weight times two to the power of the priority. */
    public double effectiveWeight() {
        return weight * Math.pow(2, priority);
    }
}
