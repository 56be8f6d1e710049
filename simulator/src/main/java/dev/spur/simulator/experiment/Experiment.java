package dev.spur.simulator.experiment;

import dev.spur.model.Checks;
import dev.spur.model.round.SolveBudget;
import dev.spur.simulator.cluster.ClusterFile;
import dev.spur.simulator.trace.synthetic.SyntheticSettings;
import java.util.List;

/**
 * Design of an experiment.
 *
 * @param name name on the command line
 * @param question research question, one sentence
 * @param cluster cluster of the replays
 * @param settings settings of the synthetic traces; the grid sets the load
 * @param loads loads of the grid, at least one
 * @param variants compared variants; the first is the baseline
 * @param metrics reported metrics
 * @param roundSeconds round interval
 * @param gap gap limit of Spur's own policy
 * @param budget solve budget of a decision
 */
public record Experiment(
        String name,
        String question,
        ClusterFile cluster,
        SyntheticSettings settings,
        List<Double> loads,
        List<Variant> variants,
        List<ReplayMetric> metrics,
        double roundSeconds,
        double gap,
        SolveBudget budget) {
    public Experiment {
        loads = Checks.copy(loads);
        variants = Checks.copy(variants);
        metrics = Checks.copy(metrics);
        Checks.require(!loads.isEmpty(), "Experiment %s has no load", name);
        Checks.require(!variants.isEmpty(), "Experiment %s has no variant", name);
        Checks.require(
                variants.stream().map(Variant::name).distinct().count() == variants.size(),
                "Variants of experiment %s have the same name",
                name);
    }

    /**
     * Returns the experiment with a subset of its variants, in the experiment's order.
     *
     * @throws IllegalArgumentException if a name is not a variant of the experiment
     */
    public Experiment with(List<String> names) {
        List<String> own = variants.stream().map(Variant::name).toList();
        Checks.require(
                own.containsAll(names),
                "Unknown variant of experiment %s; known variants: %s",
                name,
                String.join(", ", own));
        List<Variant> chosen = variants.stream()
                .filter(variant -> names.contains(variant.name()))
                .toList();
        return new Experiment(name, question, cluster, settings, loads, chosen, metrics, roundSeconds, gap, budget);
    }
}
