package dev.spur.policies.tiresias;

import dev.spur.model.Checks;
import java.util.List;

/**
 * Queues of Tiresias.
 *
 * @param limits attained service, in slot-seconds, at which a job leaves each queue but the last for the next one,
 *     ascending; empty for one queue
 * @param promoteKnob a job whose waiting time reaches this multiple of its run time returns to the first queue; 0 for
 *     never
 * @param sumsWaits true if all waits since the job last entered the first queue count, as in the authors' simulator;
 *     false if only the current wait counts, as in the paper
 */
public record Queues(List<Double> limits, double promoteKnob, boolean sumsWaits) {
    /** Queues for multi-day traces: two queues, limit at 16 slot-hours. */
    public static final Queues DEFAULT = new Queues(List.of(57_600.0), 8, false);

    /** Queues for traces of hours: three queues, with the limits of the authors' simulator. */
    public static final Queues SHORT = new Queues(List.of(3_250.0, 7_200.0), 8, false);

    public Queues {
        limits = Checks.copy(limits);
        Checks.atLeast("promoteKnob", promoteKnob, 0);
        for (int i = 1; i < limits.size(); i++) {
            Checks.require(limits.get(i) > limits.get(i - 1), "limits (%s) must be ascending", limits);
        }
    }

    /** Returns the queue, from 0, of a job with this attained service: queue i holds [limit i-1, limit i). */
    int of(double service) {
        int queue = 0;
        while (queue < limits.size() && service >= limits.get(queue)) {
            queue++;
        }
        return queue;
    }

    /** Returns the limit of {@code queue}; infinite for the last one. */
    double limit(int queue) {
        return queue < limits.size() ? limits.get(queue) : Double.POSITIVE_INFINITY;
    }
}
