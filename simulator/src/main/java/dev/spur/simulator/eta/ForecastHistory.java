package dev.spur.simulator.eta;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;
import java.util.List;

/**
 * What is known of the time before a state.
 *
 * @param stretches of jobs that have ended lately; see {@link Uncertainty}
 * @param seconds length of the time in which the arrivals were counted, at least 0; 0 if none is known
 * @param arrivals how many jobs arrived in each hour of it, the newest hour first, each at least 0; the oldest hour may
 *     be cut
 * @param comers some of those jobs, for what will come; empty if nothing is known
 * @param drift by what the times of replays are to be stretched, as learnt from earlier estimates
 */
public record ForecastHistory(
        List<Double> stretches, double seconds, List<Integer> arrivals, List<Arrival> comers, BiasCorrection drift) {
    /** Nothing is known. */
    public static final ForecastHistory UNKNOWN =
            new ForecastHistory(List.of(), 0, List.of(), List.of(), ForecastAccuracy.NONE.drift());

    public ForecastHistory {
        stretches = Checks.copy(stretches);
        comers = Checks.copy(comers);
        Checks.atLeast("seconds", seconds, 0);
        arrivals = Checks.copy(arrivals);
        arrivals.forEach(count -> Checks.atLeast("arrivals", count, 0));
    }

    /**
     * A job as it arrived.
     *
     * @param tenant its tenant
     * @param spec what it asked for
     */
    public record Arrival(String tenant, JobSpec spec) {}

    /** How many jobs may arrive; none if nothing is known. */
    ArrivalRate arrivalRate() {
        return ArrivalRate.seen(comers.isEmpty() ? List.of() : arrivals, seconds);
    }
}
