package dev.spur.simulator.eta;

import dev.spur.model.dataprep.Preparation;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobDependency;
import dev.spur.model.round.RoundProblem;
import dev.spur.simulator.eta.ForecastHistory.Arrival;
import dev.spur.simulator.replay.State;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.solver.policy.Decision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

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
     * @param readyAt time at which the condition on a preparation is met; infinite for never
     */
    State draw(SplittableRandom random, double seconds, boolean typical, ToDoubleFunction<JobDependency> readyAt) {
        SplittableRandom lengths = random.split();
        SplittableRandom recentJobs = random.split();
        SplittableRandom late = random.split();
        List<TraceJob> jobs = new ArrayList<>(problem.jobs().size());
        for (Job job : problem.jobs()) {
            var truth = new ScaledGroundTruth(job.spec(), job.remainingSamples(), stretch(lengths, typical));
            jobs.add(truth.asJob(job.id(), Math.max(0, job.arrival()), job.tenant(), job.deadline()));
        }
        return new State(
                problem, decision, jobs, arrivals(recentJobs, seconds, typical), awaitingJobs(late, typical, readyAt));
    }

    private double stretch(SplittableRandom random, boolean typical) {
        return typical ? uncertainty.median() : uncertainty.draw(random);
    }

    /**
     * Returns the jobs that wait for others, each arriving when its time has come, its preparations are ready and its
     * other dependencies are met; a job with a dependency that is never met is excluded.
     */
    private List<TraceJob> awaitingJobs(
            SplittableRandom random, boolean typical, ToDoubleFunction<JobDependency> readyAt) {
        Map<String, Double> stretches = new HashMap<>();
        blockedJobs.forEach(one -> stretches.put(one.job().id(), stretch(random, typical)));
        Set<String> preparations =
                problem.preparations().stream().map(Preparation::id).collect(Collectors.toSet());
        Set<String> coming = problem.jobs().stream().map(Job::id).collect(Collectors.toSet());
        List<TraceJob> awaitedJobs = new ArrayList<>();
        List<BlockedJob> open = new ArrayList<>(blockedJobs);
        boolean more = true;
        while (more) {
            List<BlockedJob> left = new ArrayList<>();
            for (BlockedJob one : open) {
                Job job = one.job();
                Map<Boolean, List<JobDependency>> dependencies = one.dependencies().stream()
                        .collect(Collectors.partitioningBy(dependency -> preparations.contains(dependency.job())));
                List<JobDependency> others = dependencies.getOrDefault(false, List.of());
                double from = dependencies.getOrDefault(true, List.of()).stream()
                        .mapToDouble(readyAt)
                        .reduce(one.earliest(Math.max(0, problem.now())), Math::max);
                if (others.stream().allMatch(other -> coming.contains(other.job())) && Double.isFinite(from)) {
                    var truth = new ScaledGroundTruth(
                            job.spec(), job.remainingSamples(), stretches.getOrDefault(job.id(), 1.0));
                    coming.add(job.id());
                    awaitedJobs.add(truth.asJob(job.id(), from, job.tenant(), job.deadline())
                            .after(others));
                } else {
                    left.add(one);
                }
            }
            more = left.size() < open.size();
            open = left;
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
