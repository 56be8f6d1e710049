package dev.spur.simulator.eta;

import dev.spur.model.Checks;
import java.util.List;

/**
 * What is expected of the jobs of a state.
 *
 * @param now the moment of the state, seconds on the clock of the problem
 * @param until up to when was replayed; a time that a band leaves out is later than this
 * @param samples how often
 * @param coverage the share of outcomes that a band should hold; 0.8, or less if there are fewer than three samples
 * @param rounds decisions, over all samples
 * @param policy name of the policy that decided them
 * @param uncertainty how far jobs were thought to stray from what is stated
 * @param arrivalsPerHour how many arrivals were thought to come
 * @param cuts what was left out for lack of time, one sentence each; empty if nothing was
 * @param jobs by the order of the problem, then those that await data
 * @param preparations the jobs that prepare data
 */
public record Forecast(
        double now,
        double until,
        int samples,
        double coverage,
        int rounds,
        String policy,
        Uncertainty uncertainty,
        double arrivalsPerHour,
        List<String> cuts,
        List<JobEta> jobs,
        List<JobEta> preparations) {
    public Forecast {
        cuts = Checks.copy(cuts);
        jobs = Checks.copy(jobs);
        preparations = Checks.copy(preparations);
    }
}
