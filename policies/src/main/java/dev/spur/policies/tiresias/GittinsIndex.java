package dev.spur.policies.tiresias;

import java.util.Arrays;
import java.util.List;

/**
 * Gittins index of a job of unknown length: the probability that it completes within a quantum of service, divided by
 * the service that it is expected to use in that quantum. The total services of past jobs give both.
 *
 * <pre>
 * P = #{a < d <= a + q} / #{d > a}
 * E = (sum of (d - a) over a < d <= a + q, and q for each d > a + q) / #{d > a}
 * index = P / E
 * </pre>
 *
 * for a past job of service d, attained service a and quantum q. Source: Gu et al., Tiresias, NSDI '19.
 */
public final class GittinsIndex {
    private final double[] services;
    /** Prefix sums of the services. */
    private final double[] sums;

    private GittinsIndex(double[] services) {
        this.services = services;
        sums = new double[services.length + 1];
        for (int i = 0; i < services.length; i++) {
            sums[i + 1] = sums[i] + services[i];
        }
    }

    /** Creates the index from the total services of past jobs, in slot-seconds, in any order. */
    public static GittinsIndex of(List<Double> services) {
        return new GittinsIndex(
                services.stream().mapToDouble(Double::doubleValue).sorted().toArray());
    }

    /**
     * Returns the index at {@code attained} slot-seconds. {@code quantum}, in slot-seconds, may be infinite. The index
     * is 0 if no past job had more service.
     */
    public double at(double attained, double quantum) {
        int passed = firstAbove(attained);
        int within = firstAbove(attained + quantum);
        int longer = services.length - passed;
        if (longer == 0 || within == passed) {
            return 0;
        }
        double taken = sums[within] - sums[passed] - attained * (within - passed);
        int unfinished = services.length - within;
        double expected = taken + (unfinished == 0 ? 0 : quantum * unfinished);
        return (within - passed) / expected;
    }

    /** Returns the number of services of at most {@code value}. */
    private int firstAbove(double value) {
        int at = Arrays.binarySearch(services, value);
        if (at < 0) {
            return -at - 1;
        }
        while (at < services.length && services[at] == value) {
            at++;
        }
        return at;
    }
}
