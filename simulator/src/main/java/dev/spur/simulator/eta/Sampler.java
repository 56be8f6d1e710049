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

/** Draws what may be true of a state: how long its jobs really are, and who comes. */
final class Sampler {
    /**
     * More arrivals than this are not drawn for one sample: beyond it they only lengthen the queue behind those of
     * interest.
     */
    static final int MOST_ARRIVALS = 2000;

    private final RoundProblem problem;
    private final Decision decision;
    private final ForecastHistory past;
    private final List<BlockedJob> awaiting;
    private final Uncertainty uncertainty;

    Sampler(
            RoundProblem problem,
            Decision decision,
            ForecastHistory past,
            List<BlockedJob> awaiting,
            Uncertainty uncertainty) {
        this.problem = problem;
        this.decision = decision;
        this.past = past;
        this.awaiting = awaiting;
        this.uncertainty = uncertainty;
    }

    /**
     * One possible world, with the arrivals of {@code seconds}.
     *
     * @param typical true for the stretch in the middle and arrivals at the rate that is expected, instead of drawn
     *     ones
     * @param done by preparation, when its data are there; infinite for never
     */
    State draw(SplittableRandom random, double seconds, boolean typical, ToDoubleFunction<String> done) {
        SplittableRandom lengths = random.split();
        SplittableRandom comers = random.split();
        SplittableRandom late = random.split();
        List<TraceJob> jobs = new ArrayList<>(problem.jobs().size());
        for (Job job : problem.jobs()) {
            var truth = new ScaledGroundTruth(job.spec(), job.remainingSamples(), stretch(lengths, typical));
            jobs.add(truth.asJob(job.id(), Math.max(0, job.arrival()), job.tenant(), job.deadline()));
        }
        return new State(problem, decision, jobs, arrivals(comers, seconds, typical), awaited(late, typical, done));
    }

    private double stretch(SplittableRandom random, boolean typical) {
        return typical ? uncertainty.median() : uncertainty.draw(random);
    }

    /** The jobs that await data, from when on these are there; without those that never get them. */
    private List<TraceJob> awaited(SplittableRandom random, boolean typical, ToDoubleFunction<String> done) {
        List<TraceJob> awaited = new ArrayList<>();
        for (BlockedJob one : awaiting) {
            Job job = one.job();
            double from = one.preparations().stream().mapToDouble(done).max().orElse(Double.POSITIVE_INFINITY);
            var truth = new ScaledGroundTruth(job.spec(), job.remainingSamples(), stretch(random, typical));
            if (Double.isFinite(from)) {
                awaited.add(truth.asJob(job.id(), Math.max(0, from), job.tenant(), job.deadline()));
            }
        }
        return awaited;
    }

    /** Jobs like those that came lately, as many as a rate that may change lets come. */
    private List<TraceJob> arrivals(SplittableRandom random, double seconds, boolean typical) {
        List<TraceJob> arrivals = new ArrayList<>();
        int hours = (int) Math.ceil(seconds / 3600);
        ArrivalRate rate = past.arrivalRate();
        double[] perHour = typical ? rate.expected(hours) : rate.draw(random.split(), hours);
        for (int hour = 0; hour < perHour.length; hour++) {
            double end = Math.min(seconds, 3600.0 * (hour + 1));
            double after = 3600.0 * hour + gap(random, perHour[hour]);
            while (after <= end && arrivals.size() < MOST_ARRIVALS) {
                Arrival comer = past.comers().get(random.nextInt(past.comers().size()));
                var truth = new ScaledGroundTruth(comer.spec(), comer.spec().totalSamples(), uncertainty.draw(random));
                arrivals.add(truth.asJob("arrival " + arrivals.size(), problem.now() + after, comer.tenant(), null));
                after += gap(random, perHour[hour]);
            }
        }
        return arrivals;
    }

    /** Seconds to the next of a Poisson stream; infinite if nobody comes. */
    private static double gap(SplittableRandom random, double perHour) {
        return perHour <= 0 ? Double.POSITIVE_INFINITY : -Math.log1p(-random.nextDouble()) * 3600 / perHour;
    }
}
