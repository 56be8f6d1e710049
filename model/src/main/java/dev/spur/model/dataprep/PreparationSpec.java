package dev.spur.model.dataprep;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;
import java.util.List;

/**
 * The specification of a data preparation.
 *
 * @param pools pools whose nodes it may use to run and to borrow memory; empty for all
 * @param cpus host CPUs that it requires, above 0
 * @param workingSetGiB memory at which it reaches its maximum speed, whole GiB, at least 1
 * @param slowDown slowdown by the fraction of the working set in the memory of its node
 * @param minLocalFraction minimum fraction of the working set in the memory of its node, not below the smallest
 *     measured one and up to 1
 * @param seconds total run time with the whole working set in the memory of its node, above 0
 * @param weight factor of its utility
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
                minLocalFraction >= slowDown.minLocalFraction() && minLocalFraction <= 1,
                "minLocalFraction (%s) must be from %s, the smallest measured fraction of slowDown, to 1",
                minLocalFraction,
                slowDown.minLocalFraction());
        Checks.positive("seconds", seconds);
        Checks.positive("weight", weight);
        Checks.require(
                Math.abs(priority) <= JobSpec.MAX_PRIORITY,
                "priority (%s) must be from -%s to %s",
                priority,
                JobSpec.MAX_PRIORITY,
                JobSpec.MAX_PRIORITY);
    }

    /** Returns the minimum memory of its own node, whole GiB: from 1 to the working set. */
    public int minLocalGiB() {
        // a rounding error above a whole number does not require one more GiB
        return (int) Math.max(1, Math.ceil(minLocalFraction * workingSetGiB - 1e-9));
    }

    /** Returns the slowdown with {@code localGiB} of its own node and {@code borrowedGiB} of other nodes. */
    public double slowDown(int localGiB, int borrowedGiB) {
        return slowDown.at((double) localGiB / workingSetGiB, (double) borrowedGiB / workingSetGiB);
    }

    /** Returns true if it may use nodes of {@code pool}. */
    public boolean mayUse(String pool) {
        return pools.isEmpty() || pools.contains(pool);
    }

    /** Returns the weight times two to the power of the priority. */
    public double effectiveWeight() {
        return weight * Math.pow(2, priority);
    }
}
