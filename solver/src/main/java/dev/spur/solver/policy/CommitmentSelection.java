package dev.spur.solver.policy;

import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.program.RoundProgram;
import dev.spur.solver.solve.CpSat;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.Solution;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Selection of the hard commitments that can be met together, in lexicographic order. */
final class CommitmentSelection {
    /** Maximum share of the effort that is left, so that the plan is improved whatever the selection takes. */
    private static final double SHARE = 0.3;

    /**
     * Number of candidates above which commitments are accepted one after another: an integer program of all candidates
     * takes longer than a round.
     */
    private static final int MAX_CANDIDATES = 2000;

    private final CandidateSet candidates;
    private final RemainingBudget effort;

    CommitmentSelection(CandidateSet candidates, RemainingBudget effort) {
        this.candidates = candidates;
        this.effort = effort;
    }

    /**
     * Returns {@code decided}, and the commitments that can be met with them: the guaranteed ones, all if possible,
     * then those of the jobs that {@code isOpen} accepts.
     *
     * @param decided commitments that a plan meets together
     */
    List<Obligation> select(List<Obligation> decided, IntPredicate isOpen) {
        List<Integer> known = decided.stream().map(Obligation::job).toList();
        List<Obligation> guaranteed = Stream.concat(
                        Obligations.guaranteedDeadlines(candidates).stream(),
                        Obligations.stints(candidates, isOpen).stream())
                .filter(obligation -> !known.contains(obligation.job()))
                .toList();
        List<Obligation> hard =
                Stream.concat(decided.stream(), guaranteed.stream()).toList();
        Set<Integer> bound = hard.stream().map(Obligation::job).collect(Collectors.toSet());
        List<Obligation> soft = Stream.concat(
                        new OverdueJobs(candidates)
                                .starts().stream().filter(obligation -> isOpen.test(obligation.job())),
                        Obligations.requestedDeadlines(candidates, isOpen).stream())
                .filter(obligation -> !bound.contains(obligation.job()))
                .limit(Obligations.MAX_WEIGHED)
                .toList();
        if (guaranteed.isEmpty() && soft.isEmpty()) {
            return decided;
        }
        List<Obligation> all = Stream.concat(hard.stream(), soft.stream()).toList();
        List<Obligation> fitting = Obligations.fitting(candidates, hard, soft);
        if (fitting.size() == all.size()) {
            return fitting;
        }
        List<Obligation> met = metTogether(hard, soft);
        if (met.isEmpty() && !guaranteed.isEmpty()) {
            int max = Math.min(guaranteed.size(), Obligations.MAX_WEIGHED);
            met = metTogether(decided, guaranteed.subList(0, max));
        }
        return met.isEmpty() ? decided : met;
    }

    /**
     * Returns {@code hard} and as many of {@code soft} as hold with them; none if {@code hard} does not hold, or if the
     * effort ends first.
     */
    private List<Obligation> metTogether(List<Obligation> hard, List<Obligation> soft) {
        if (candidates.size() > MAX_CANDIDATES) {
            return Obligations.fitting(candidates, hard, soft);
        }
        RoundProgram program = new RoundProgram(candidates);
        program.obligationsAreMet(hard);
        program.maximizeObligationsMet(soft);
        Solution solution = CpSat.solve(program, effort.share(SHARE), 0);
        effort.spend(solution.work());
        int[] choice = solution.choice();
        if (choice == null) {
            return List.of();
        }
        List<Obligation> met = new ArrayList<>(hard);
        soft.stream()
                .filter(obligation -> obligation.candidates().contains(choice[obligation.job()]))
                .forEach(met::add);
        return met;
    }
}
