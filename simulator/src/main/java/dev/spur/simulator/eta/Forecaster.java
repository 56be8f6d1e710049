package dev.spur.simulator.eta;

import dev.spur.model.dataprep.Preparation;
import dev.spur.model.job.DependencyCondition;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobDependency;
import dev.spur.model.round.PreparationPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.replay.RolloutSimulator;
import dev.spur.simulator.replay.SimulatedTimes;
import dev.spur.simulator.replay.State;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Forecaster that simulates a state into the future. The simulations use the policy of the rounds with a coarse limit:
 * it stops at a gap of 2 % or after little work. For large states the greedy policy replaces it.
 *
 * <p>The first simulation can use a third of the time limit. The simulated time that it reaches is the horizon of all
 * others. A simulation that does not reach it within the time limit is discarded.
 */
public final class Forecaster {
    private static final double COARSE_GAP = 0.02;
    private static final double COARSE_WORK = 0.2;
    private static final double COARSE_SECONDS = 2;
    private static final double SHARE_OF_FIRST = 1 / 3.0;
    /** Fraction of the time limit for preparations, which are simulated first. */
    private static final double SHARE_OF_PREPARATIONS = 0.2;

    private final Policy policy;
    private final ForecastSettings settings;
    private final LongSupplier nanos;

    /**
     * @param policy policy of the rounds
     * @param nanos monotonic clock, nanoseconds
     */
    public Forecaster(Policy policy, ForecastSettings settings, LongSupplier nanos) {
        this.policy = policy;
        this.settings = settings;
        this.nanos = nanos;
    }

    /**
     * Returns the forecast after {@code decision}.
     *
     * @param mayContinue checked before each simulated round, can block; the forecast is aborted if it returns false
     * @return null if the forecast was aborted
     */
    public @Nullable Forecast forecast(
            RoundProblem problem, Decision decision, ForecastHistory history, BooleanSupplier mayContinue) {
        return forecast(problem, decision, history, List.of(), mayContinue);
    }

    /**
     * Returns the forecast, including jobs that wait for others or a time: they arrive when all of it has come.
     * Preparations are simulated with the training jobs in their current state.
     *
     * @param blockedJobs jobs that are not part of the problem
     */
    public @Nullable Forecast forecast(
            RoundProblem problem,
            Decision decision,
            ForecastHistory history,
            List<BlockedJob> blockedJobs,
            BooleanSupplier mayContinue) {
        return new Run(problem, decision, history, blockedJobs, mayContinue).run();
    }

    /** A forecast in progress. */
    private final class Run {
        private final RoundProblem problem;
        private final Decision decision;
        private final ForecastHistory history;
        private final List<BlockedJob> blockedJobs;
        private final BooleanSupplier mayContinue;
        private final Uncertainty uncertainty;
        private final Policy decidingPolicy;
        private final ReplaySettings replays;
        private final long startNanos = nanos.getAsLong();
        private final List<String> cuts = new ArrayList<>();
        private final Rollouts rollouts;
        private final Rollouts preparingRollouts;
        private boolean aborted;

        Run(
                RoundProblem problem,
                Decision decision,
                ForecastHistory history,
                List<BlockedJob> blockedJobs,
                BooleanSupplier mayContinue) {
            this.problem = problem;
            this.decision = decision;
            this.history = history;
            this.blockedJobs = List.copyOf(blockedJobs);
            this.mayContinue = mayContinue;
            this.uncertainty = Uncertainty.ofStretches(history.stretches());
            this.rollouts = new Rollouts(problem.now() + settings.horizonSeconds());
            this.preparingRollouts = new Rollouts(problem.now() + settings.horizonSeconds());
            this.decidingPolicy = problem.jobs().size() < settings.greedyFrom() ? policy : Policies.greedy();
            this.replays = ReplaySettings.DEFAULT.withPlanning(coarse(problem.settings()));
        }

        @Nullable
        Forecast run() {
            prepare();
            Sampler sampler = new Sampler(problem, decision, history, blockedJobs, uncertainty);
            SplittableRandom random = new SplittableRandom(settings.seed());
            for (int sample = 0; sample < settings.samples() && !aborted; sample++) {
                int own = sample;
                // the first sample is the typical case, so that the horizon of all others does not depend on chance
                boolean typical = sample == 0;
                State state = sampler.draw(
                        random.split(), settings.horizonSeconds(), typical, one -> preparationTime(own, one));
                if (sample == 0) {
                    follow(state, settings.wallSeconds() * SHARE_OF_FIRST);
                } else if (!inTime(settings.wallSeconds()) || !follow(state, settings.wallSeconds())) {
                    break;
                }
            }
            return aborted ? null : eta();
        }

        /** Simulates the preparations as often as the time limit allows, at least once. */
        private void prepare() {
            if (problem.preparations().isEmpty()) {
                return;
            }
            SplittableRandom random = new SplittableRandom(settings.seed() + 1);
            double seconds = settings.wallSeconds() * SHARE_OF_PREPARATIONS;
            PreparationPlan plan = decision.plan().preparations();
            for (int sample = 0; sample < settings.samples() && !aborted; sample++) {
                Map<String, Double> stretches = new HashMap<>();
                problem.preparations().forEach(one -> stretches.put(one.id(), Uncertainty.PRIOR.draw(random)));
                boolean counts = preparingRollouts.add(PreparationRollout.replay(
                        problem,
                        decision.allocations(),
                        plan,
                        stretches,
                        preparingRollouts.until(),
                        () -> inTime(seconds) && isDesired()));
                if (!counts || !inTime(seconds)) {
                    return;
                }
            }
        }

        /** Returns the time at which the condition on a preparation is met in a sample; infinite if it is unknown. */
        private double preparationTime(int sample, JobDependency dependency) {
            return preparingRollouts.count() == 0
                    ? Double.POSITIVE_INFINITY
                    : metAt(preparingRollouts.times(sample % preparingRollouts.count(), dependency.job()), dependency);
        }

        private static double metAt(SimulatedTimes times, JobDependency dependency) {
            Double time = dependency.when() == DependencyCondition.STARTED ? times.started() : times.ended();
            return time == null ? Double.POSITIVE_INFINITY : time;
        }

        /** Returns the time at which a dependency is met in a sample; infinite if it is unknown. */
        private double timeMet(int sample, JobDependency dependency) {
            boolean isPreparation = problem.preparations().stream()
                    .anyMatch(preparation -> preparation.id().equals(dependency.job()));
            return isPreparation
                    ? preparationTime(sample, dependency)
                    : metAt(rollouts.times(sample, dependency.job()), dependency);
        }

        /**
         * Simulates one sample until {@code seconds} after the start of the forecast. Returns false if it did not reach
         * the horizon.
         */
        private boolean follow(State state, double seconds) {
            return rollouts.add(RolloutSimulator.replay(
                    state,
                    decidingPolicy,
                    replays,
                    settings.spacing(),
                    rollouts.until(),
                    () -> inTime(seconds) && isDesired()));
        }

        private boolean inTime(double seconds) {
            return nanos.getAsLong() - startNanos < seconds * 1e9;
        }

        private boolean isDesired() {
            aborted = !mayContinue.getAsBoolean();
            return !aborted;
        }

        private Forecast eta() {
            reportCuts();
            return new Forecast(
                    problem.now(),
                    rollouts.until(),
                    rollouts.count(),
                    EtaInterval.coverage(rollouts.count()),
                    rollouts.rounds(),
                    decidingPolicy.name(),
                    uncertainty,
                    history.arrivalRate().perHour(),
                    cuts,
                    Stream.concat(
                                    problem.jobs().stream().map(job -> eta(job, problem.now(), List.of())),
                                    blockedJobs.stream()
                                            .map(one ->
                                                    eta(one.job(), one.earliest(problem.now()), one.dependencies())))
                            .toList(),
                    problem.preparations().stream().map(this::eta).toList());
        }

        private void reportCuts() {
            long unknown = problem.jobs().stream()
                    .filter(job -> job.spec().profile().isAssumed())
                    .count();
            if (unknown > 0) {
                cuts.add("Nothing is known about the speed of %d %s; the simulations assume one step per second."
                        .formatted(unknown, unknown == 1 ? "job" : "jobs"));
            }
            double reached = rollouts.until() - problem.now();
            if (reached < settings.horizonSeconds()) {
                cuts.add("The time limit allowed a horizon of %.1f hours instead of %.1f."
                        .formatted(reached / 3600, settings.horizonSeconds() / 3600));
            }
            if (rollouts.count() < settings.samples()) {
                cuts.add("The time limit allowed %d of %d simulations; intervals cover %.0f %%."
                        .formatted(rollouts.count(), settings.samples(), 100 * EtaInterval.coverage(rollouts.count())));
            }
            if (decidingPolicy != policy) {
                cuts.add(
                        "The number of jobs is too large for the policy of the rounds; the simulations use the greedy policy.");
            }
            if (history.arrivalRate().mean() * settings.horizonSeconds() / 3600 > Sampler.MAX_ARRIVALS) {
                cuts.add("Each simulation includes at most %d future arrivals.".formatted(Sampler.MAX_ARRIVALS));
            }
        }

        private SimulatedEta eta(Job job, double earliest, List<JobDependency> dependencies) {
            double[] from = IntStream.range(0, rollouts.count())
                    .mapToDouble(sample -> dependencies.stream()
                            .mapToDouble(one -> timeMet(sample, one))
                            .reduce(earliest, Math::max))
                    .toArray();
            boolean runs = decision.allocations().containsKey(job.id());
            BiasCorrectedTimes corrected =
                    new BiasCorrectedTimes(history.biasCorrection(), problem.now(), rollouts.until());
            double[] ends = times(job.id(), rollouts, SimulatedTimes::ended);
            // starts are not compared with outcomes, so their spread must not fall below that of the prior
            BiasCorrectedTimes wide = new BiasCorrectedTimes(
                    history.biasCorrection().noNarrowerThan(ForecastAccuracy.NONE.biasCorrection()),
                    problem.now(),
                    rollouts.until());
            EtaInterval startInterval =
                    runs ? null : wide.band(times(job.id(), rollouts, SimulatedTimes::started), from);
            return job.spec().profile().isAssumed()
                    ? new SimulatedEta(job.id(), startInterval, null, null)
                    : new SimulatedEta(
                            job.id(), startInterval, corrected.band(ends, from), corrected.replayedTimes(ends));
        }

        private SimulatedEta eta(Preparation preparation) {
            PreparationPlan plan = decision.plan().preparations();
            String id = preparation.id();
            boolean runs = plan != null
                    && plan.running().stream()
                            .anyMatch(planned -> planned.jobId().equals(id));
            EtaInterval startInterval =
                    runs ? null : EtaInterval.of(times(id, preparingRollouts, SimulatedTimes::started));
            return new SimulatedEta(
                    id, startInterval, EtaInterval.of(times(id, preparingRollouts, SimulatedTimes::ended)), null);
        }

        /** Returns the times by sample. Times beyond the end of the shortest simulation are infinite in all samples. */
        private double[] times(String id, Rollouts rollouts, Function<SimulatedTimes, @Nullable Double> of) {
            double[] times = new double[rollouts.count()];
            for (int sample = 0; sample < times.length; sample++) {
                Double time = of.apply(rollouts.times(sample, id));
                times[sample] = time == null || time > rollouts.until() ? Double.POSITIVE_INFINITY : time;
            }
            return times;
        }
    }

    private static RoundSettings coarse(RoundSettings settings) {
        SolveBudget requested = settings.budget();
        return settings.withEffort(
                Math.max(COARSE_GAP, settings.gapTarget()),
                new SolveBudget(
                        Math.min(COARSE_WORK, requested.work()),
                        Math.min(COARSE_SECONDS, requested.wallSeconds()),
                        1,
                        requested.seed()));
    }
}
