package dev.spur.benchmarks.scaling;

import dev.spur.benchmarks.instance.RoundTransition;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.ProblemCheck;
import dev.spur.model.validation.Violation;
import dev.spur.simulator.report.Distribution;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sequence of rounds with arrivals and departures. Each round starts from the allocations and the memory of the plan
 * before it.
 *
 * @param rounds the rounds in order, at least one
 */
public record RoundSequence(List<SequenceRound> rounds) {
    /**
     * Figures of a round.
     *
     * @param seconds time from the instance in memory to the validated plan
     * @param gap optimality gap
     * @param restarts number of running jobs that the plan stops, moves or resizes
     */
    public record SequenceRound(double seconds, double gap, int restarts) {}

    public RoundSequence {
        rounds = List.copyOf(rounds);
    }

    /**
     * Plans {@code first} and the rounds after it.
     *
     * @param count number of rounds, at least 1
     * @throws IllegalStateException if a round violates the rules of a problem, or the plan validator rejects a plan
     */
    public static RoundSequence plan(RoundProblem first, RoundTransition transition, Policy policy, int count) {
        List<SequenceRound> rounds = new ArrayList<>();
        RoundProblem problem = first;
        while (true) {
            List<Violation> violations = ProblemCheck.violations(problem);
            if (!violations.isEmpty()) {
                throw new IllegalStateException(
                        "Round %d violates the rules of a problem: %s".formatted(rounds.size() + 1, violations.get(0)));
            }
            MeasurementRunner.Run run = MeasurementRunner.run(policy, problem);
            rounds.add(new SequenceRound(
                    run.measurement().seconds(), run.measurement().quality().gap(), restarts(problem, run.plan())));
            if (rounds.size() == count) {
                return new RoundSequence(rounds);
            }
            problem = transition.next(problem, run.plan());
        }
    }

    private static int restarts(RoundProblem problem, RoundPlan plan) {
        Map<String, Allocation> given =
                plan.running().stream().collect(Collectors.toMap(PlannedJob::jobId, PlannedJob::allocation));
        return (int) problem.jobs().stream()
                .filter(job -> restarts(job.allocation(), given.get(job.id())))
                .count();
    }

    private static boolean restarts(@Nullable Allocation held, @Nullable Allocation next) {
        return held != null && (next == null || !next.sameRunAs(held));
    }

    /**
     * Returns the columns of a table: gaps in percent, times in seconds, and the mean number of restarts. A drift shows
     * as a difference between the mean gaps of the first and the last third of the rounds.
     */
    public Map<String, String> figures() {
        Distribution gap = distribution(rounds, round -> 100 * round.gap());
        Distribution seconds = distribution(rounds, SequenceRound::seconds);
        int third = Math.max(1, rounds.size() / 3);
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("rounds", Integer.toString(rounds.size()));
        figures.put("gap_median", percent(gap.quantile(0.5)));
        figures.put("gap_p99", percent(gap.quantile(0.99)));
        figures.put("gap_max", percent(gap.max()));
        figures.put("gap_first_third", percent(meanGap(rounds.subList(0, third))));
        figures.put("gap_last_third", percent(meanGap(rounds.subList(rounds.size() - third, rounds.size()))));
        figures.put("seconds_median", format("%.3f", seconds.quantile(0.5)));
        figures.put("seconds_p99", format("%.3f", seconds.quantile(0.99)));
        figures.put("seconds_max", format("%.3f", seconds.max()));
        figures.put(
                "restarts_mean",
                format("%.1f", distribution(rounds, SequenceRound::restarts).mean()));
        return figures;
    }

    private static double meanGap(List<SequenceRound> some) {
        return distribution(some, round -> 100 * round.gap()).mean();
    }

    private static Distribution distribution(List<SequenceRound> some, ToDoubleFunction<SequenceRound> figure) {
        return new Distribution(some.stream().mapToDouble(figure));
    }

    private static String percent(double value) {
        return format("%.4f", value);
    }

    private static String format(String pattern, double value) {
        return String.format(Locale.ROOT, pattern, value);
    }
}
