package dev.spur.policies.support;

import dev.spur.solver.solve.LinearProgram;
import dev.spur.solver.solve.LinearSolution;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Integer program shared by several published policies: at most one of the offered slot counts for each job, at most
 * the slots of each partition, maximum total value. Pinned jobs take no part.
 */
public final class ConfigurationProgram {
    /** A slot count offered to a job, with its value. */
    private record Offer(int job, NodePartition partition, int slots, double value) {}

    /** Relative optimality gap at which the solver stops. */
    private static final double GAP = 1e-4;

    private final RoundView view;
    private final SlotAllocations allocations;
    private final List<Offer> offers = new ArrayList<>();

    public ConfigurationProgram(RoundView view) {
        this.view = view;
        this.allocations = new SlotAllocations(view);
    }

    /** Offers {@code slots} of {@code partition} to job {@code j}; has no effect on a pinned job. */
    public void offer(int j, NodePartition partition, int slots, double value) {
        if (!view.isPinned(j)) {
            offers.add(new Offer(j, partition, slots, value));
        }
    }

    /**
     * Returns the best choice, larger grants first. It is empty if the work limit of the round ends before the first
     * incumbent.
     */
    public SlotAllocations solve() {
        LinearProgram program = new LinearProgram();
        int[] variables = state(program);
        Optional<LinearSolution> solution =
                program.maximize(view.problem().settings().budget(), GAP);
        IntStream.range(0, variables.length)
                .filter(i -> solution.isPresent() && solution.get().isOne(variables[i]))
                .mapToObj(offers::get)
                .sorted(Comparator.comparingInt(Offer::slots).reversed())
                .forEach(offer -> allocations.grant(offer.job(), offer.partition(), offer.slots()));
        return allocations;
    }

    /**
     * Builds the program and returns the variables of the offers. Values are scaled, because the solver treats values
     * far below 1 as zero.
     */
    private int[] state(LinearProgram program) {
        double max = offers.stream().mapToDouble(Offer::value).max().orElse(0);
        double scale = max > 0 ? 1 / max : 1;
        int[] rowOfJob =
                IntStream.range(0, view.jobs()).map(j -> program.atMost(1)).toArray();
        int[] rowOfPartition = view.partitions().stream()
                .mapToInt(partition -> program.atMost(Math.max(0, allocations.free(partition))))
                .toArray();
        int[] variables = new int[offers.size()];
        for (int i = 0; i < variables.length; i++) {
            Offer offer = offers.get(i);
            variables[i] = program.binary(offer.value() * scale);
            program.add(rowOfJob[offer.job()], variables[i], 1);
            program.add(rowOfPartition[offer.partition().index()], variables[i], offer.slots());
        }
        return variables;
    }
}
