package dev.spur.simulator.eta;

import java.util.List;
import java.util.SplittableRandom;

/**
 * What is known of how many jobs arrive per hour: a gamma distribution that forgets, so that a rate may change, and
 * sooner or later does. Each hour half of what was seen is forgotten, and what is left unknown by that is what the
 * whole time before was like in the mean. Source: Smith and Miller, A Non-Gaussian State Space Model, JRSS B 48 (1986),
 * with the mean of the past instead of nothing behind what is forgotten.
 *
 * @param shape of the distribution, about the number of arrivals that it rests on, at least 0
 * @param hours about how many hours they took, above 0
 * @param mean arrivals per hour of all that was seen, at least 0
 */
record ArrivalRate(double shape, double hours, double mean) {
    /**
     * Share that is still known an hour later. By the hourly arrivals of Philly's and ITP's clusters it is a half at
     * most.
     */
    private static final double KEPT = 0.5;

    /** Shape behind what is forgotten: an hour may have hardly any arrivals, or several times the mean. */
    private static final double VAGUE = 0.5;

    /**
     * The rate after what was seen.
     *
     * @param counts arrivals of each hour, the newest hour first; the oldest may be cut
     * @param seconds length of all of them together
     */
    static ArrivalRate seen(List<Integer> counts, double seconds) {
        int all = counts.stream().mapToInt(Integer::intValue).sum();
        if (seconds <= 0 || all == 0) {
            return new ArrivalRate(0, 1, 0);
        }
        double mean = all / (seconds / 3600);
        ArrivalRate rate = new ArrivalRate(VAGUE, VAGUE / mean, mean);
        for (int hour = counts.size() - 1; hour >= 0; hour--) {
            double length = Math.min(1, seconds / 3600 - hour);
            rate = rate.anHourLater();
            rate = new ArrivalRate(rate.shape + counts.get(hour), rate.hours + Math.max(0, length), mean);
        }
        return rate;
    }

    private ArrivalRate anHourLater() {
        return new ArrivalRate(KEPT * shape + (1 - KEPT) * VAGUE, KEPT * hours + (1 - KEPT) * VAGUE / mean, mean);
    }

    /** Arrivals expected in an hour from now, at least 0. */
    double perHour() {
        return mean == 0 ? 0 : shape / hours;
    }

    /** The mean course of the rate: arrivals per hour expected in each of the next hours. */
    double[] expected(int nextHours) {
        double[] rates = new double[nextHours];
        ArrivalRate now = this;
        for (int hour = 0; hour < nextHours && mean > 0; hour++) {
            now = now.anHourLater();
            rates[hour] = now.perHour();
        }
        return rates;
    }

    /**
     * A possible course of the rate: arrivals per hour in each of the next hours. The course of one hour is
     * beta-distributed in that of the hour before, so that every hour has the distribution that is known of it.
     */
    double[] draw(SplittableRandom random, int nextHours) {
        double[] rates = new double[nextHours];
        if (mean == 0) {
            return rates;
        }
        ArrivalRate now = this;
        double drawn = GammaSampler.draw(random, shape);
        for (int hour = 0; hour < nextHours; hour++) {
            double kept = GammaSampler.draw(random, KEPT * now.shape);
            double lost = GammaSampler.draw(random, (1 - KEPT) * now.shape);
            drawn = drawn * kept / Math.max(Double.MIN_NORMAL, kept + lost)
                    + GammaSampler.draw(random, (1 - KEPT) * VAGUE);
            now = now.anHourLater();
            rates[hour] = drawn / now.hours;
        }
        return rates;
    }
}
