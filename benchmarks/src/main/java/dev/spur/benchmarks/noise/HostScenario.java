package dev.spur.benchmarks.noise;

import java.util.List;
import java.util.Random;

/**
 * Behavior of hosts and of a training during a run.
 *
 * @param name name in the table
 * @param noise standard deviation of the logarithm of a reported step time
 * @param outliers probability that a report is two to six times too slow
 * @param busySeconds length of a busy period in each quarter of an hour, in which steps take twice as long
 * @param slowNode factor of the step time on the second node
 * @param change factor of the step time in the second half of the run, in all configurations
 */
public record HostScenario(
        String name, double noise, double outliers, double busySeconds, double slowNode, double change) {
    /** Distance of two busy periods, s. */
    private static final double PERIOD = 900;
    /** Factor of the step time in a busy period. */
    private static final double BUSY = 2;

    /** All scenarios, in the order of the table. */
    public static final List<HostScenario> ALL = List.of(
            new HostScenario("noise 10 %", 0.1, 0, 0, 1, 1),
            new HostScenario("noise 20 %", 0.2, 0, 0, 1, 1),
            new HostScenario("noise 40 %", 0.4, 0, 0, 1, 1),
            new HostScenario("noise 10 %, outliers", 0.1, 0.05, 0, 1, 1),
            new HostScenario("noise 10 %, busy host", 0.1, 0, 180, 1, 1),
            new HostScenario("noise 10 %, slow node", 0.1, 0, 0, 1.15, 1),
            new HostScenario("noise 5 %, steps 1.3 times", 0.05, 0, 0, 1, 1.3),
            new HostScenario("noise 10 %, steps 1.3 times", 0.1, 0, 0, 1, 1.3),
            new HostScenario("noise 20 %, steps 1.3 times", 0.2, 0.05, 0, 1, 1.3),
            new HostScenario("noise 20 %, steps 2 times", 0.2, 0.05, 0, 1, 2));

    /** Returns true if the speed of the training changes in the second half. */
    public boolean changes() {
        return change != 1;
    }

    /** Returns the factor of the step time that lasts, for a run of {@code length} seconds. */
    double lasting(double time, double length, boolean onSlowNode) {
        return (time >= length / 2 ? change : 1) * (onSlowNode ? slowNode : 1);
    }

    /** Returns the factor of one report that does not last. */
    double passing(double time, double busyOffset, Random random) {
        double outlier = random.nextDouble() < outliers ? 2 + 4 * random.nextDouble() : 1;
        boolean busy = (time + busyOffset) % PERIOD < busySeconds;
        return Math.exp(noise * random.nextGaussian()) * outlier * (busy ? BUSY : 1);
    }
}
