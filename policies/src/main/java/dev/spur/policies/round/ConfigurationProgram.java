package dev.spur.policies.round;

import dev.spur.solver.solve.LinearProgram;
import dev.spur.solver.solve.LinearSolution;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The integer program that several published policies share: for each job at most one of the numbers of slots offered to it, no
 * more slots of a lane than there are, the highest sum of values. Jobs that may not be touched are not asked.
 */
public final class ConfigurationProgram {
    /** A number of slots offered to a job, and the variable that says whether it gets them. */
    private record Offer(int job, Lane lane, int slots, int variable) {}

    /** Relative gap at which the solver stops. */
    private static final double GAP = 1e-4;

    private final Snapshot snapshot;
    private final Grants grants;
    private final LinearProgram program = new LinearProgram();
    private final int[] rowOfJob;
    private final int[] rowOfLane;
    private final List<Offer> offers = new ArrayList<>();

    public ConfigurationProgram(Snapshot snapshot) {
        this.snapshot = snapshot;
        this.grants = new Grants(snapshot);
        rowOfJob = new int[snapshot.jobs()];
        for (int j = 0; j < rowOfJob.length; j++) {
            rowOfJob[j] = program.atMost(1);
        }
        rowOfLane = snapshot.lanes().stream()
                .mapToInt(lane -> program.atMost(Math.max(0, grants.free(lane))))
                .toArray();
    }

    /** Offers {@code slots} of {@code lane} to job {@code j}; nothing happens if it may not be touched. */
    public void offer(int j, Lane lane, int slots, double value) {
        if (!snapshot.isPinned(j)) {
            int variable = program.binary(value);
            program.add(rowOfJob[j], variable, 1);
            program.add(rowOfLane[lane.index()], variable, slots);
            offers.add(new Offer(j, lane, slots, variable));
        }
    }

    /** The best choice, the larger grants first; nobody gets anything if the budget of the round suffices for no choice. */
    public Grants solve() {
        Optional<LinearSolution> solution =
                program.maximize(snapshot.problem().settings().budget(), GAP);
        offers.stream()
                .filter(offer -> solution.isPresent() && solution.get().isOne(offer.variable()))
                .sorted(Comparator.comparingInt(Offer::slots).reversed())
                .forEach(offer -> grants.give(offer.job(), offer.lane(), offer.slots()));
        return grants;
    }
}
