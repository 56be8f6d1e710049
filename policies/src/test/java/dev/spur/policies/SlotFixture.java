package dev.spur.policies;

import dev.spur.model.JobFixture;
import dev.spur.model.round.RoundProblem;
import dev.spur.solver.policy.Policy;
import java.util.HashMap;
import java.util.Map;

/** Short ways to say what tests give and get. */
public final class SlotFixture {
    private SlotFixture() {}

    /** Slots that {@code policy} gives, by job; jobs that wait are left out. */
    public static Map<String, Integer> of(Policy policy, RoundProblem problem) {
        Map<String, Integer> slots = new HashMap<>();
        policy.decide(problem)
                .allocations()
                .forEach((id, allocation) ->
                        slots.put(id, allocation.configuration().slots()));
        return slots;
    }

    /** A job of 1 to 8 slots whose speed is 100 samples/s times a power of them. */
    public static JobFixture scaling(String id, double power) {
        double[] speeds = new double[8];
        for (int k = 1; k <= 8; k++) {
            speeds[k - 1] = 100 * Math.pow(k, power);
        }
        return JobFixture.job(id).slots(1, 8).speeds(speeds);
    }
}
