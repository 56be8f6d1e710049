package dev.spur.simulator.forecast;

import dev.spur.model.job.Job;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.simulator.replay.Course;
import dev.spur.simulator.replay.Fate;
import dev.spur.simulator.replay.Onward;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.replay.State;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policies;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts by replays into the future. The policy of the rounds decides in them, too, but coarsely: it stops at plans proved
 * within 2 % of the best, or after little work. In large states the greedy policy stands in for it.
 *
 * <p>The first replay may take a third of the time. As far as it comes all others go; one that does not come as far in the time
 * that is left is not counted.
 */
public final class Forecaster {
    private static final double COARSE_GAP = 0.02;
    private static final double COARSE_WORK = 0.2;
    private static final double COARSE_SECONDS = 2;
    private static final double SHARE_OF_FIRST = 1 / 3.0;
    /**
     * What replays into the future do not know of, such as who will be resized for whom; tuned by replay. The same for all jobs of a
     * sample, so that nobody is expected to start on slots that are not free by then.
     */
    private static final Uncertainty DRIFT = new Uncertainty(1.15, 0.45);

    /** The drift is relative, but for the first minute: rounds begin when they do. */
    private static final double DRIFT_FROM = 60;

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
    public @Nullable Forecast forecast(RoundProblem problem, Decision decision, Past past, BooleanSupplier mayGoOn) {
        return new Run(problem, decision, past, mayGoOn).run();
    }

    /** One forecast on its way. */
    private final class Run {
        private final RoundProblem problem;
        private final Decision decision;
        private final Past past;
        private final BooleanSupplier mayGoOn;
        private final Uncertainty uncertainty;
        private final Policy decider;
        private final ReplaySettings replays;
        private final long begun = nanos.getAsLong();
        private final List<String> cuts = new ArrayList<>();
        private final List<Course> courses = new ArrayList<>();
        private double until;
        private boolean givenUp;

        Run(RoundProblem problem, Decision decision, Past past, BooleanSupplier mayGoOn) {
            this.problem = problem;
            this.decision = decision;
            this.past = past;
            this.mayGoOn = mayGoOn;
            this.uncertainty = Uncertainty.learnt(past.stretches());
            this.until = problem.now() + settings.horizonSeconds();
            this.decider = problem.jobs().size() < settings.greedyFrom() ? policy : Policies.greedy();
            this.replays = ReplaySettings.DEFAULT.withPlanning(coarse(problem.settings()));
        }

        @Nullable
        Forecast run() {
            Sampler sampler = new Sampler(problem, decision, past, uncertainty);
            SplittableRandom random = new SplittableRandom(settings.seed());
            for (int sample = 0; sample < settings.samples() && !givenUp; sample++) {
                State state = sampler.draw(random.split(), settings.horizonSeconds());
                if (sample == 0) {
                    follow(state, settings.wallSeconds() * SHARE_OF_FIRST);
                } else if (!inTime(settings.wallSeconds()) || !follow(state, settings.wallSeconds())) {
                    break;
                }
            }
            return givenUp ? null : told();
        }

        /** Replays one world within {@code seconds} of the whole. Returns false if it did not come far enough to count. */
        private boolean follow(State state, double seconds) {
            Course course = Onward.replay(
                    state, decider, replays, settings.pauses(), until, () -> inTime(seconds) && isWanted());
            boolean far = course.reached() >= until;
            if (courses.isEmpty() && !far) {
                until = course.reached();
                far = true;
            }
            if (far) {
                courses.add(course);
            }
            return far;
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
                    until,
                    courses.size(),
                    Band.coverage(courses.size()),
                    courses.stream().mapToInt(Course::rounds).sum(),
                    decider.name(),
                    uncertainty,
                    past.rate() * 3600,
                    cuts,
                    problem.jobs().stream().map(this::told).toList());
        }

        private void tellOfCuts() {
            double reached = until - problem.now();
            if (reached < settings.horizonSeconds()) {
                cuts.add("The time allowed was enough to look %.1f hours ahead instead of %.1f."
                        .formatted(reached / 3600, settings.horizonSeconds() / 3600));
            }
            if (courses.size() < settings.samples()) {
                cuts.add("The time allowed was enough for %d of %d replays, so that bands are of %.0f %%."
                        .formatted(courses.size(), settings.samples(), 100 * Band.coverage(courses.size())));
            }
            if (decider != policy) {
                cuts.add("There are too many jobs for the policy of the rounds; the greedy one stood in for it.");
            }
            if (past.rate() * settings.horizonSeconds() > Sampler.MOST_ARRIVALS) {
                cuts.add("Only the next %d arrivals were thought of.".formatted(Sampler.MOST_ARRIVALS));
            }
        }

        private JobForecast told(Job job) {
            boolean runs = decision.allocations().containsKey(job.id());
            double[] starts = new double[courses.size()];
            double[] ends = new double[courses.size()];
            for (int sample = 0; sample < starts.length; sample++) {
                Fate fate = courses.get(sample).fates().getOrDefault(job.id(), new Fate(null, null));
                double drift = DRIFT.quantile((sample + 0.5) / starts.length);
                starts[sample] = orLater(fate.started(), drift);
                ends[sample] = orLater(fate.ended(), drift);
            }
            return new JobForecast(job.id(), runs ? null : Band.of(starts), Band.of(ends));
        }

        /** What lies behind the end of the shortest replay counts as later in all of them. */
        private double orLater(@Nullable Double time, double drift) {
            if (time == null || time > until) {
                return Double.POSITIVE_INFINITY;
            }
            double ahead = time - problem.now();
            double drifted = problem.now() + Math.max(0, (ahead + DRIFT_FROM) * drift - DRIFT_FROM);
            return drifted > until ? Double.POSITIVE_INFINITY : drifted;
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
