package dev.spur.simulator.eta;

import java.util.List;
import java.util.SplittableRandom;

/**
 * Gamma distribution of the arrival rate with exponential forgetting, so that the rate can change over time. Every
 * hour, half of the observations are forgotten. The forgotten part is replaced by the long-term mean rate. Source:
 * Smith and Miller, A Non-Gaussian State Space Model, JRSS B 48 (1986), except that the long-term mean replaces the
 * forgotten part.
 *
 * @param shape shape of the distribution, about the number of arrivals that it rests on, at least 0
 * @param hours rate parameter: about the number of hours of these arrivals, above 0
 * @param mean mean arrivals per hour of all observations, at least 0
 */
record ArrivalRate(double shape, double hours, double mean) {
    /**
     * Fraction of the observations that is kept per hour. The hourly arrivals of the Philly and ITP clusters suggest at
     * most 0.5.
     */
    private static final double DECAY = 0.5;

    /**
     * Shape of the distribution that replaces forgotten observations: an hour can have almost no arrivals, or several
     * times the mean.
     */
    private static final double VAGUE = 0.5;

    /**
     * Returns the rate after these observations.
     *
     * @param counts arrivals of each hour, newest hour first; the oldest hour can be incomplete
     * @param seconds total length of the observed time
     */
    static ArrivalRate ofObservations(List<Integer> counts, double seconds) {
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
        return new ArrivalRate(DECAY * shape + (1 - DECAY) * VAGUE, DECAY * hours + (1 - DECAY) * VAGUE / mean, mean);
    }

    /** Returns the expected arrivals in the next hour, at least 0. */
    double perHour() {
        return mean == 0 ? 0 : shape / hours;
    }

    /** Returns the expected arrivals per hour in each of the next hours. */
    double[] expectedArrivals(int nextHours) {
        double[] rates = new double[nextHours];
        ArrivalRate now = this;
        for (int hour = 0; hour < nextHours && mean > 0; hour++) {
            now = now.anHourLater();
            rates[hour] = now.perHour();
        }
        return rates;
    }

    /**
     * Draws a sample path of the rate: arrivals per hour in each of the next hours. The rate of an hour is that of the
     * previous hour multiplied by a beta-distributed factor, plus a gamma-distributed innovation, so that every hour
     * has its marginal gamma distribution.
     */
    double[] draw(SplittableRandom random, int nextHours) {
        double[] rates = new double[nextHours];
        if (mean == 0) {
            return rates;
        }
        ArrivalRate now = this;
        double drawn = GammaSampler.draw(random, shape);
        for (int hour = 0; hour < nextHours; hour++) {
            double retained = GammaSampler.draw(random, DECAY * now.shape);
            double lost = GammaSampler.draw(random, (1 - DECAY) * now.shape);
            drawn = drawn * retained / Math.max(Double.MIN_NORMAL, retained + lost)
                    + GammaSampler.draw(random, (1 - DECAY) * VAGUE);
            now = now.anHourLater();
            rates[hour] = drawn / now.hours;
        }
        return rates;
    }
}
