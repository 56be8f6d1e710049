package dev.spur.solver.recommend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Recommendation for a goal.
 *
 * @param chosen the best option that keeps the limits with the required confidence; if none does, the option of least
 *     risk
 * @param risk probability that it misses a limit
 * @param targetMet whether it keeps the limits with the required confidence
 * @param front Pareto front by median time and cost, the fastest first
 * @param considered number of options compared
 */
public record Recommendation(Option chosen, double risk, boolean targetMet, List<Option> front, int considered) {
    private static final double MEDIAN = 0.5;
    /** Tolerance of rounding in normal probabilities. */
    private static final double SLACK = 1e-9;

    public Recommendation {
        front = List.copyOf(front);
    }

    /** Returns the recommendation among {@code options}; empty if there are none. The first of equal ones. */
    public static Optional<Recommendation> of(List<Option> options, RecommendationGoal goal) {
        Comparator<Option> byAim = Comparator.<Option>comparingDouble(option -> option.valueFor(goal.minimize()))
                .thenComparingDouble(option -> option.risk(goal))
                .thenComparingDouble(option -> option.valueFor(
                        goal.minimize() == RecommendationObjective.COST
                                ? RecommendationObjective.TIME
                                : RecommendationObjective.COST));
        double max = 1 - goal.confidence() + SLACK;
        Optional<Option> good =
                options.stream().filter(option -> option.risk(goal) <= max).min(byAim);
        Optional<Option> chosen = good.or(() -> options.stream()
                .min(Comparator.<Option>comparingDouble(option -> option.risk(goal))
                        .thenComparing(byAim)));
        return chosen.map(option ->
                new Recommendation(option, option.risk(goal), good.isPresent(), front(options), options.size()));
    }

    /** Returns the Pareto front: options that no other option dominates in median time and cost, the fastest first. */
    static List<Option> front(List<Option> options) {
        List<Option> fastestFirst = options.stream()
                .sorted(Comparator.<Option>comparingDouble(option -> option.seconds(MEDIAN))
                        .thenComparingDouble(option -> option.cost(MEDIAN)))
                .toList();
        List<Option> front = new ArrayList<>();
        for (Option option : fastestFirst) {
            if (front.isEmpty()
                    || option.cost(MEDIAN) < front.get(front.size() - 1).cost(MEDIAN)) {
                front.add(option);
            }
        }
        return front;
    }
}
