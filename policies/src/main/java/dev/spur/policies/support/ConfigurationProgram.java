package dev.spur.policies.support;

import dev.spur.solver.solve.LinearProgram;
import dev.spur.solver.solve.LinearSolution;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The integer program that several published policies share: for each job at most one of the numbers of slots offered
 * to it, no more slots of a lane than there are, the highest sum of values. Jobs that may not be touched are not asked.
 */
public final class ConfigurationProgram {
    /** A number of slots offered to a job, and what that is worth. */
    private record Offer(int job, NodePartition lane, int slots, double value) {}

    /** Relative gap at which the solver stops. */
    private static final double GAP = 1e-4;

    private final RoundView snapshot;
    private final SlotAllocations grants;
    private final List<Offer> offers = new ArrayList<>();

    public ConfigurationProgram(RoundView snapshot) {
        this.snapshot = snapshot;
        this.grants = new SlotAllocations(snapshot);
    }

    /** Offers {@code slots} of {@code lane} to job {@code j}; nothing happens if it may not be touched. */
    public void offer(int j, NodePartition lane, int slots, double value) {
        if (!snapshot.isPinned(j)) {
            offers.add(new Offer(j, lane, slots, value));
        }
    }

    /**
     * The best choice, the larger grants first; nobody gets anything if the budget of the round suffices for no choice.
     */
    public SlotAllocations solve() {
        LinearProgram program = new LinearProgram();
        int[] variables = state(program);
        Optional<LinearSolution> solution =
                program.maximize(snapshot.problem().settings().budget(), GAP);
        IntStream.range(0, variables.length)
                .filter(i -> solution.isPresent() && solution.get().isOne(variables[i]))
                .mapToObj(offers::get)
                .sorted(Comparator.comparingInt(Offer::slots).reversed())
                .forEach(offer -> grants.give(offer.job(), offer.lane(), offer.slots()));
        return grants;
    }

    /**
     * Writes the program down; the variables of the offers. Values are scaled: the solver takes what is far below 1 for
     * nothing.
     */
    private int[] state(LinearProgram program) {
        double most = offers.stream().mapToDouble(Offer::value).max().orElse(0);
        double scale = most > 0 ? 1 / most : 1;
        int[] rowOfJob =
                IntStream.range(0, snapshot.jobs()).map(j -> program.atMost(1)).toArray();
        int[] rowOfLane = snapshot.lanes().stream()
                .mapToInt(lane -> program.atMost(Math.max(0, grants.free(lane))))
                .toArray();
        int[] variables = new int[offers.size()];
        for (int i = 0; i < variables.length; i++) {
            Offer offer = offers.get(i);
            variables[i] = program.binary(offer.value() * scale);
            program.add(rowOfJob[offer.job()], variables[i], 1);
            program.add(rowOfLane[offer.lane().index()], variables[i], offer.slots());
        }
        return variables;
    }
}
