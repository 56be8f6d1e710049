package dev.spur.simulator.eta;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;
import java.util.List;

/**
 * History before a state.
 *
 * @param stretches stretch factors of recently ended jobs; see {@link Uncertainty}
 * @param seconds length of the time in which arrivals were counted, at least 0; 0 if it is unknown
 * @param arrivals arrivals of each hour of it, newest hour first, each at least 0; the oldest hour can be incomplete
 * @param recentArrivals sample of the arrived jobs, from which future arrivals are drawn; empty if unknown
 * @param biasCorrection bias correction of the simulated times, learned from earlier ETAs
 */
public record ForecastHistory(
        List<Double> stretches,
        double seconds,
        List<Integer> arrivals,
        List<Arrival> recentArrivals,
        BiasCorrection biasCorrection) {
    /** No history. */
    public static final ForecastHistory UNKNOWN =
            new ForecastHistory(List.of(), 0, List.of(), List.of(), ForecastAccuracy.NONE.biasCorrection());

    public ForecastHistory {
        stretches = Checks.copy(stretches);
        recentArrivals = Checks.copy(recentArrivals);
        Checks.atLeast("seconds", seconds, 0);
        arrivals = Checks.copy(arrivals);
        arrivals.forEach(count -> Checks.atLeast("arrivals", count, 0));
    }

    /**
     * An arrived job.
     *
     * @param tenant tenant of the job
     * @param spec specification of the job
     */
    public record Arrival(String tenant, JobSpec spec) {}

    /** Returns the distribution of the arrival rate; a rate of 0 without history. */
    ArrivalRate arrivalRate() {
        return ArrivalRate.ofObservations(recentArrivals.isEmpty() ? List.of() : arrivals, seconds);
    }
}
