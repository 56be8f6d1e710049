package dev.spur.benchmarks.profit;

import dev.spur.model.Checks;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Revenues of the jobs of a trace: the slot-hours of the request times the price of a slot-hour times a random markup,
 * which is uniform.
 *
 * @param pricePerSlotHour price of a slot-hour, above 0
 * @param minMarkup lowest markup, at least 0
 * @param maxMarkup highest markup, at least {@code minMarkup}
 */
public record MarketPrices(double pricePerSlotHour, double minMarkup, double maxMarkup) {
    private static final double SECONDS_PER_HOUR = 3600;

    public MarketPrices {
        Checks.positive("pricePerSlotHour", pricePerSlotHour);
        Checks.atLeast("minMarkup", minMarkup, 0);
        Checks.atLeast("maxMarkup", maxMarkup, minMarkup);
    }

    /** Returns the revenue of each job by its id, in the unit of the price. */
    public Map<String, Double> revenues(Trace trace, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Double> revenues = new HashMap<>();
        for (TraceJob job : trace.jobs()) {
            double hours = job.requestedSlots() * job.aloneSeconds() / SECONDS_PER_HOUR;
            double markup = minMarkup + (maxMarkup - minMarkup) * random.nextDouble();
            revenues.put(job.id(), hours * pricePerSlotHour * markup);
        }
        return revenues;
    }
}
