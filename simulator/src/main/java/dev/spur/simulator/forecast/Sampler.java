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

/** Draws what may be true of a state: how long its jobs really are, and who comes. */
final class Sampler {
    /** More arrivals than this are not drawn for one sample: beyond it they only lengthen the queue behind those of interest. */
    static final int MOST_ARRIVALS = 2000;

    private final RoundProblem problem;
    private final Decision decision;
    private final Past past;
    private final Uncertainty uncertainty;

    Sampler(RoundProblem problem, Decision decision, Past past, Uncertainty uncertainty) {
        this.problem = problem;
        this.decision = decision;
        this.past = past;
        this.uncertainty = uncertainty;
    }

    /** One possible world, with the arrivals of {@code seconds}. */
    State draw(SplittableRandom random, double seconds) {
        SplittableRandom lengths = random.split();
        SplittableRandom comers = random.split();
        List<TraceJob> jobs = new ArrayList<>(problem.jobs().size());
        for (Job job : problem.jobs()) {
            var truth = new StretchedTruth(job.spec(), job.remainingSamples(), uncertainty.draw(lengths));
            jobs.add(truth.asJob(job.id(), Math.max(0, job.arrival()), job.tenant(), job.deadline()));
        }
        return new State(problem, decision, jobs, arrivals(comers, seconds));
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
