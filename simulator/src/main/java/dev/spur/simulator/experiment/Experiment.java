package dev.spur.simulator.experiment;

import dev.spur.model.Checks;
import dev.spur.model.round.SolveBudget;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.trace.synthetic.SyntheticSettings;
import java.util.List;

/**
 * What is compared on what.
 *
 * @param name what it is called on the command line
 * @param question what it is to show, one sentence
 * @param cluster where the traces are replayed
 * @param trace what traces to make up; their load is set by the grid
 * @param loads loads of the grid, at least one
 * @param variants what is compared; all others are held against the first
 * @param stats what is shown of the replays
 * @param roundSeconds seconds from one round to the next
 * @param gap distance from the best plan at which Spur's own policy may stop
 * @param budget what a decision may spend
 */
public record Experiment(
        String name,
        String question,
        ClusterFile cluster,
        SyntheticSettings trace,
        List<Double> loads,
        List<Variant> variants,
        List<ReplayMetric> stats,
        double roundSeconds,
        double gap,
        SolveBudget budget) {
    public Experiment {
        loads = Checks.copy(loads);
        variants = Checks.copy(variants);
        stats = Checks.copy(stats);
        Checks.require(!loads.isEmpty(), "%s has no load", name);
        Checks.require(!variants.isEmpty(), "%s has no variant", name);
        Checks.require(
                variants.stream().map(Variant::name).distinct().count() == variants.size(),
                "variants of %s share a name",
                name);
    }

    /**
     * The experiment with some of its variants, in its own order.
     *
     * @throws IllegalArgumentException if it has no variant of one of the names
     */
    public Experiment with(List<String> names) {
        List<String> own = variants.stream().map(Variant::name).toList();
        Checks.require(own.containsAll(names), "%s compares %s", name, String.join(", ", own));
        List<Variant> chosen = variants.stream()
                .filter(variant -> names.contains(variant.name()))
                .toList();
        return new Experiment(name, question, cluster, trace, loads, chosen, stats, roundSeconds, gap, budget);
    }
}
