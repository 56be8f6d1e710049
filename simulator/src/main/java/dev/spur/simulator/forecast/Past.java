package dev.spur.simulator.forecast;

import dev.spur.model.Checks;
import dev.spur.model.job.JobSpec;
import java.util.List;

/**
 * What is known of the time before a state.
 *
 * @param stretches of jobs that have ended lately; see {@link Uncertainty}
 * @param seconds length of the time in which the arrivals were counted, at least 0; 0 if none is known
 * @param arrivals how many jobs arrived in it, at least 0
 * @param comers some of those jobs, for what will come; empty if nothing is known
 */
public record Past(List<Double> stretches, double seconds, int arrivals, List<Comer> comers) {
    /** Nothing is known. */
    public static final Past UNKNOWN = new Past(List.of(), 0, 0, List.of());

    public Past {
        stretches = Checks.copy(stretches);
        comers = Checks.copy(comers);
        Checks.atLeast("seconds", seconds, 0);
        Checks.atLeast("arrivals", arrivals, 0);
    }

    /**
     * A job as it arrived.
     *
     * @param tenant its tenant
     * @param spec what it asked for
     */
    public record Comer(String tenant, JobSpec spec) {}

    /** Arrivals per second; 0 if nothing is known. */
    double rate() {
        return seconds == 0 || comers.isEmpty() ? 0 : arrivals / seconds;
    }
}
