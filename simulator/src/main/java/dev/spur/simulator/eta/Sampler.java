package dev.spur.simulator.eta;

import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.simulator.eta.ForecastHistory.Arrival;
import dev.spur.simulator.replay.State;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.solver.policy.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/** Sampler of the unknown parts of a state: true job lengths and future arrivals. */
final class Sampler {
    /** Maximum number of arrivals per sample; later ones only lengthen the queue behind the jobs of interest. */
    static final int MAX_ARRIVALS = 2000;

    private final RoundProblem problem;
    private final Decision decision;
    private final ForecastHistory history;
    private final List<BlockedJob> blockedJobs;
    private final Uncertainty uncertainty;

    Sampler(
            RoundProblem problem,
            Decision decision,
            ForecastHistory history,
            List<BlockedJob> blockedJobs,
            Uncertainty uncertainty) {
        this.problem = problem;
        this.decision = decision;
        this.history = history;
        this.blockedJobs = blockedJobs;
        this.uncertainty = uncertainty;
    }

    /**
     * Draws one sample with the arrivals of {@code seconds}.
     *
     * @param typical true for the median stretch and arrivals at the expected rate, instead of random ones
     * @param done time at which the data of a preparation are ready; infinite for never
     */
    State draw(SplittableRandom random, double seconds, boolean typical, ToDoubleFunction<String> done) {
        SplittableRandom lengths = random.split();
        SplittableRandom recentJobs = random.split();
        SplittableRandom late = random.split();
        List<TraceJob> jobs = new ArrayList<>(problem.jobs().size());
        for (Job job : problem.jobs()) {
            var truth = new ScaledGroundTruth(job.spec(), job.remainingSamples(), stretch(lengths, typical));
            jobs.add(truth.asJob(job.id(), Math.max(0, job.arrival()), job.tenant(), job.deadline()));
        }
        return new State(
                problem, decision, jobs, arrivals(recentJobs, seconds, typical), awaitingJobs(late, typical, done));
    }

    private double stretch(SplittableRandom random, boolean typical) {
        return typical ? uncertainty.median() : uncertainty.draw(random);
    }

    /**
     * Returns the jobs that wait for data, each arriving when its data are ready; jobs whose data are never ready are
     * excluded.
     */
    private List<TraceJob> awaitingJobs(SplittableRandom random, boolean typical, ToDoubleFunction<String> done) {
        List<TraceJob> awaitedJobs = new ArrayList<>();
        for (BlockedJob one : blockedJobs) {
            Job job = one.job();
            double from = one.preparations().stream().mapToDouble(done).max().orElse(Double.POSITIVE_INFINITY);
            var truth = new ScaledGroundTruth(job.spec(), job.remainingSamples(), stretch(random, typical));
            if (Double.isFinite(from)) {
                awaitedJobs.add(truth.asJob(job.id(), Math.max(0, from), job.tenant(), job.deadline()));
            }
        }
        return awaitedJobs;
    }

    /** Returns future arrivals, drawn from recent jobs at a changing rate. */
    private List<TraceJob> arrivals(SplittableRandom random, double seconds, boolean typical) {
        List<TraceJob> arrivingJobs = new ArrayList<>();
        int hours = (int) Math.ceil(seconds / 3600);
        ArrivalRate rate = history.arrivalRate();
        double[] perHour = typical ? rate.expectedArrivals(hours) : rate.draw(random.split(), hours);
        for (int hour = 0; hour < perHour.length; hour++) {
            double end = Math.min(seconds, 3600.0 * (hour + 1));
            double after = 3600.0 * hour + gap(random, perHour[hour]);
            while (after <= end && arrivingJobs.size() < MAX_ARRIVALS) {
                Arrival arrival = history.recentArrivals()
                        .get(random.nextInt(history.recentArrivals().size()));
                var truth =
                        new ScaledGroundTruth(arrival.spec(), arrival.spec().totalSamples(), uncertainty.draw(random));
                arrivingJobs.add(
                        truth.asJob("arrival " + arrivingJobs.size(), problem.now() + after, arrival.tenant(), null));
                after += gap(random, perHour[hour]);
            }
        }
        return arrivingJobs;
    }

    /** Returns the seconds to the next arrival of a Poisson process; infinite if the rate is 0. */
    private static double gap(SplittableRandom random, double perHour) {
        return perHour <= 0 ? Double.POSITIVE_INFINITY : -Math.log1p(-random.nextDouble()) * 3600 / perHour;
    }
}
