package dev.spur.solver.recommend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What is recommended for a target.
 *
 * @param chosen the best option that keeps the limits with the wanted confidence; if none does, that with the least
 *     risk
 * @param risk chance that it misses a limit
 * @param targetMet true if it keeps the limits with the wanted confidence
 * @param front options than which none is both faster and cheaper, by their medians, the fastest first
 * @param considered how many options were compared
 */
public record Recommendation(Option chosen, double risk, boolean targetMet, List<Option> front, int considered) {
    private static final double MEDIAN = 0.5;
    /** Rounding of normal probabilities may not turn what just suffices away. */
    private static final double SLACK = 1e-9;

    public Recommendation {
        front = List.copyOf(front);
    }

    /** What is best among {@code options}; empty if there are none. The first of equal ones. */
    public static Optional<Recommendation> of(List<Option> options, RecommendationGoal target) {
        Comparator<Option> byAim = Comparator.<Option>comparingDouble(option -> option.valueFor(target.minimize()))
                .thenComparingDouble(option -> option.risk(target))
                .thenComparingDouble(option -> option.valueFor(
                        target.minimize() == RecommendationObjective.COST
                                ? RecommendationObjective.TIME
                                : RecommendationObjective.COST));
        double most = 1 - target.confidence() + SLACK;
        Optional<Option> good =
                options.stream().filter(option -> option.risk(target) <= most).min(byAim);
        Optional<Option> chosen = good.or(() -> options.stream()
                .min(Comparator.<Option>comparingDouble(option -> option.risk(target))
                        .thenComparing(byAim)));
        return chosen.map(option ->
                new Recommendation(option, option.risk(target), good.isPresent(), front(options), options.size()));
    }

    /**
     * The options than which none is as fast and as cheap and better in one of both, by their medians, the fastest
     * first.
     */
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
