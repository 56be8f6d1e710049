package dev.spur.simulator.forecast;

import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.simulator.forecast.Past.Comer;
import dev.spur.simulator.replay.State;
import dev.spur.simulator.trace.TraceJob;
import dev.spur.solver.policy.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/** Draws what may be true of a state: how long its jobs really are, and who comes. */
final class Sampler {
    /** More arrivals than this are not drawn for one sample: beyond it they only lengthen the queue behind those of interest. */
    static final int MOST_ARRIVALS = 2000;

    private final RoundProblem problem;
    private final Decision decision;
    private final Past past;
    private final List<Awaiting> awaiting;
    private final Uncertainty uncertainty;

    Sampler(RoundProblem problem, Decision decision, Past past, List<Awaiting> awaiting, Uncertainty uncertainty) {
        this.problem = problem;
        this.decision = decision;
        this.past = past;
        this.awaiting = awaiting;
        this.uncertainty = uncertainty;
    }

    /**
     * One possible world, with the arrivals of {@code seconds}.
     *
     * @param done by preparation, when its data are there; infinite for never
     */
    State draw(SplittableRandom random, double seconds, ToDoubleFunction<String> done) {
        SplittableRandom lengths = random.split();
        SplittableRandom comers = random.split();
        SplittableRandom late = random.split();
        List<TraceJob> jobs = new ArrayList<>(problem.jobs().size());
        for (Job job : problem.jobs()) {
            var truth = new StretchedTruth(job.spec(), job.remainingSamples(), uncertainty.draw(lengths));
            jobs.add(truth.asJob(job.id(), Math.max(0, job.arrival()), job.tenant(), job.deadline()));
        }
        return new State(problem, decision, jobs, arrivals(comers, seconds), awaited(late, done));
    }

    /** The jobs that await data, from when on these are there; without those that never get them. */
    private List<TraceJob> awaited(SplittableRandom random, ToDoubleFunction<String> done) {
        List<TraceJob> awaited = new ArrayList<>();
        for (Awaiting one : awaiting) {
            Job job = one.job();
            double from = one.preparations().stream().mapToDouble(done).max().orElse(Double.POSITIVE_INFINITY);
            var truth = new StretchedTruth(job.spec(), job.remainingSamples(), uncertainty.draw(random));
            if (Double.isFinite(from)) {
                awaited.add(truth.asJob(job.id(), Math.max(0, from), job.tenant(), job.deadline()));
            }
        }
        return awaited;
    }

    /** A Poisson stream of jobs like those that came lately. */
    private List<TraceJob> arrivals(SplittableRandom random, double seconds) {
        List<TraceJob> arrivals = new ArrayList<>();
        double rate = past.rate();
        double after = 0;
        while (rate > 0 && arrivals.size() < MOST_ARRIVALS) {
            after -= Math.log1p(-random.nextDouble()) / rate;
            if (after > seconds) {
                break;
            }
            Comer comer = past.comers().get(random.nextInt(past.comers().size()));
            var truth = new StretchedTruth(comer.spec(), comer.spec().totalSamples(), uncertainty.draw(random));
            arrivals.add(truth.asJob("arrival " + arrivals.size(), problem.now() + after, comer.tenant(), null));
        }
        return arrivals;
    }
}
