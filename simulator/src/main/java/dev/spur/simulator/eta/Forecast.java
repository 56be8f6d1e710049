package dev.spur.simulator.eta;

import dev.spur.model.Checks;
import java.util.List;

/**
 * ETAs of the jobs of a state.
 *
 * @param now time of the state, seconds on the clock of the problem
 * @param until end of the simulated time; a null time of an interval is later than this
 * @param samples number of simulations
 * @param coverage nominal coverage of the intervals; 0.8, or less with fewer than three samples
 * @param rounds number of simulated decisions, over all samples
 * @param policy name of the policy of the simulations
 * @param uncertainty assumed deviation of jobs from their specification
 * @param arrivalsPerHour assumed arrival rate
 * @param cuts reductions because of the time limit, one sentence each; empty if there were none
 * @param jobs in the order of the problem, followed by the jobs that wait for data
 * @param preparations ETAs of the preparations
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
        List<SimulatedEta> jobs,
        List<SimulatedEta> preparations) {
    public Forecast {
        cuts = Checks.copy(cuts);
        jobs = Checks.copy(jobs);
        preparations = Checks.copy(preparations);
    }
}
