package dev.spur.simulator.eta;

import dev.spur.model.dataprep.Preparation;
import dev.spur.model.job.Job;
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
 * Forecasts by replays into the future. The policy of the rounds decides in them, too, but coarsely: it stops at plans
 * proved within 2 % of the best, or after little work. In large states the greedy policy stands in for it.
 *
 * <p>The first replay may take a third of the time. As far as it comes all others go; one that does not come as far in
 * the time that is left is not counted.
 */
public final class Forecaster {
    private static final double COARSE_GAP = 0.02;
    private static final double COARSE_WORK = 0.2;
    private static final double COARSE_SECONDS = 2;
    private static final double SHARE_OF_FIRST = 1 / 3.0;
    /** Preparations are replayed first, in this share of the time. */
    private static final double SHARE_OF_PREPARATIONS = 0.2;

    private final Policy policy;
    private final ForecastSettings settings;
    private final LongSupplier nanos;

    /**
     * @param policy that of the rounds
     * @param nanos a clock, nanoseconds
     */
    public Forecaster(Policy policy, ForecastSettings settings, LongSupplier nanos) {
        this.policy = policy;
        this.settings = settings;
        this.nanos = nanos;
    }

    /**
     * What is expected after {@code decision}.
     *
     * @param mayGoOn asked before each round of a replay, may wait; the forecast is given up where it says no
     * @return null if the forecast was given up
     */
    public @Nullable Forecast forecast(
            RoundProblem problem, Decision decision, ForecastHistory past, BooleanSupplier mayGoOn) {
        return forecast(problem, decision, past, List.of(), mayGoOn);
    }

    /**
     * The same, also for jobs whose data are being prepared: they come when these are done. Preparations are replayed
     * beside the training jobs as they run now.
     *
     * @param awaiting none of them is in the problem
     */
    public @Nullable Forecast forecast(
            RoundProblem problem,
            Decision decision,
            ForecastHistory past,
            List<BlockedJob> awaiting,
            BooleanSupplier mayGoOn) {
        return new Run(problem, decision, past, awaiting, mayGoOn).run();
    }

    /** One forecast on its way. */
    private final class Run {
        private final RoundProblem problem;
        private final Decision decision;
        private final ForecastHistory past;
        private final List<BlockedJob> awaiting;
        private final BooleanSupplier mayGoOn;
        private final Uncertainty uncertainty;
        private final Policy decider;
        private final ReplaySettings replays;
        private final long begun = nanos.getAsLong();
        private final List<String> cuts = new ArrayList<>();
        private final Rollouts courses;
        private final Rollouts preparing;
        private boolean givenUp;

        Run(
                RoundProblem problem,
                Decision decision,
                ForecastHistory past,
                List<BlockedJob> awaiting,
                BooleanSupplier mayGoOn) {
            this.problem = problem;
            this.decision = decision;
            this.past = past;
            this.awaiting = List.copyOf(awaiting);
            this.mayGoOn = mayGoOn;
            this.uncertainty = Uncertainty.learnt(past.stretches());
            this.courses = new Rollouts(problem.now() + settings.horizonSeconds());
            this.preparing = new Rollouts(problem.now() + settings.horizonSeconds());
            this.decider = problem.jobs().size() < settings.greedyFrom() ? policy : Policies.greedy();
            this.replays = ReplaySettings.DEFAULT.withPlanning(coarse(problem.settings()));
        }

        @Nullable
        Forecast run() {
            prepare();
            Sampler sampler = new Sampler(problem, decision, past, awaiting, uncertainty);
            SplittableRandom random = new SplittableRandom(settings.seed());
            for (int sample = 0; sample < settings.samples() && !givenUp; sample++) {
                int own = sample;
                // how far the others go is to be no matter of luck, nor what one alone says
                boolean typical = sample == 0;
                State state = sampler.draw(random.split(), settings.horizonSeconds(), typical, id -> prepared(own, id));
                if (sample == 0) {
                    follow(state, settings.wallSeconds() * SHARE_OF_FIRST);
                } else if (!inTime(settings.wallSeconds()) || !follow(state, settings.wallSeconds())) {
                    break;
                }
            }
            return givenUp ? null : told();
        }

        /** Replays the preparations, as often as there is time for, but once at least. */
        private void prepare() {
            if (problem.preparations().isEmpty()) {
                return;
            }
            SplittableRandom random = new SplittableRandom(settings.seed() + 1);
            double seconds = settings.wallSeconds() * SHARE_OF_PREPARATIONS;
            PreparationPlan plan = decision.plan().preparations();
            for (int sample = 0; sample < settings.samples() && !givenUp; sample++) {
                Map<String, Double> stretches = new HashMap<>();
                problem.preparations().forEach(one -> stretches.put(one.id(), Uncertainty.PRIOR.draw(random)));
                boolean counts = preparing.add(PreparationRollout.replay(
                        problem,
                        decision.allocations(),
                        plan,
                        stretches,
                        preparing.until(),
                        () -> inTime(seconds) && isWanted()));
                if (!counts || !inTime(seconds)) {
                    return;
                }
            }
        }

        /** When a preparation is done in a sample; infinite if that is not known. */
        private double prepared(int sample, String id) {
            if (preparing.count() == 0) {
                return Double.POSITIVE_INFINITY;
            }
            Double ended = preparing.fate(sample % preparing.count(), id).ended();
            return ended == null ? Double.POSITIVE_INFINITY : ended;
        }

        /**
         * Replays one world within {@code seconds} of the whole. Returns false if it did not come far enough to count.
         */
        private boolean follow(State state, double seconds) {
            return courses.add(RolloutSimulator.replay(
                    state, decider, replays, settings.pauses(), courses.until(), () -> inTime(seconds) && isWanted()));
        }

        private boolean inTime(double seconds) {
            return nanos.getAsLong() - begun < seconds * 1e9;
        }

        private boolean isWanted() {
            givenUp = !mayGoOn.getAsBoolean();
            return !givenUp;
        }

        private Forecast told() {
            tellOfCuts();
            return new Forecast(
                    problem.now(),
                    courses.until(),
                    courses.count(),
                    EtaInterval.coverage(courses.count()),
                    courses.rounds(),
                    decider.name(),
                    uncertainty,
                    past.arrivalRate().perHour(),
                    cuts,
                    Stream.concat(
                                    problem.jobs().stream().map(job -> told(job, List.of())),
                                    awaiting.stream().map(one -> told(one.job(), one.preparations())))
                            .toList(),
                    problem.preparations().stream().map(this::told).toList());
        }

        private void tellOfCuts() {
            double reached = courses.until() - problem.now();
            if (reached < settings.horizonSeconds()) {
                cuts.add("The time allowed was enough to look %.1f hours ahead instead of %.1f."
                        .formatted(reached / 3600, settings.horizonSeconds() / 3600));
            }
            if (courses.count() < settings.samples()) {
                cuts.add("The time allowed was enough for %d of %d replays; bands are of %.0f %%."
                        .formatted(courses.count(), settings.samples(), 100 * EtaInterval.coverage(courses.count())));
            }
            if (decider != policy) {
                cuts.add("There are too many jobs for the policy of the rounds; the greedy one stood in for it.");
            }
            if (past.arrivalRate().mean() * settings.horizonSeconds() / 3600 > Sampler.MOST_ARRIVALS) {
                cuts.add("Only the next %d arrivals were thought of.".formatted(Sampler.MOST_ARRIVALS));
            }
        }

        /** @param awaited the preparations before whose end nothing begins */
        private JobEta told(Job job, List<String> awaited) {
            double[] from = IntStream.range(0, courses.count())
                    .mapToDouble(sample -> awaited.stream()
                            .mapToDouble(id -> prepared(sample, id))
                            .reduce(problem.now(), Math::max))
                    .toArray();
            boolean runs = decision.allocations().containsKey(job.id());
            BiasCorrectedTimes drifted = new BiasCorrectedTimes(past.drift(), problem.now(), courses.until());
            double[] ends = times(job.id(), courses, SimulatedTimes::ended);
            // starts are not held against what came, so that it is not known whether they are nearer to it
            BiasCorrectedTimes wide = new BiasCorrectedTimes(
                    past.drift().noNarrowerThan(ForecastAccuracy.NONE.drift()), problem.now(), courses.until());
            EtaInterval start = runs ? null : wide.band(times(job.id(), courses, SimulatedTimes::started), from);
            return new JobEta(job.id(), start, drifted.band(ends, from), drifted.replayed(ends));
        }

        private JobEta told(Preparation preparation) {
            PreparationPlan plan = decision.plan().preparations();
            String id = preparation.id();
            boolean runs = plan != null
                    && plan.running().stream()
                            .anyMatch(planned -> planned.preparationId().equals(id));
            EtaInterval start = runs ? null : EtaInterval.of(times(id, preparing, SimulatedTimes::started));
            return new JobEta(id, start, EtaInterval.of(times(id, preparing, SimulatedTimes::ended)), null);
        }

        /** By sample. What lies behind the end of the shortest replay counts as later in all of them. */
        private double[] times(String id, Rollouts replayed, Function<SimulatedTimes, @Nullable Double> of) {
            double[] times = new double[replayed.count()];
            for (int sample = 0; sample < times.length; sample++) {
                Double time = of.apply(replayed.fate(sample, id));
                times[sample] = time == null || time > replayed.until() ? Double.POSITIVE_INFINITY : time;
            }
            return times;
        }
    }

    private static RoundSettings coarse(RoundSettings settings) {
        SolveBudget asked = settings.budget();
        return settings.withEffort(
                Math.max(COARSE_GAP, settings.gapTarget()),
                new SolveBudget(
                        Math.min(COARSE_WORK, asked.work()),
                        Math.min(COARSE_SECONDS, asked.wallSeconds()),
                        1,
                        asked.seed()));
    }
}
