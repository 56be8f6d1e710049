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
    private final OverdueJobs overdue;
    private final RemainingBudget budget;

    CommitmentSelection(CandidateSet candidates, RemainingBudget budget) {
        this(candidates, new OverdueJobs(candidates), budget);
    }

    /** @param overdue the overdue jobs of {@code candidates} */
    CommitmentSelection(CandidateSet candidates, OverdueJobs overdue, RemainingBudget budget) {
        this.candidates = candidates;
        this.overdue = overdue;
        this.budget = budget;
    }

    /**
     * Returns {@code decidedObligations}, and the commitments that can be met with them: the guaranteed ones, all if
     * possible, then those of the jobs that {@code isOpen} accepts.
     *
     * @param decidedObligations commitments that a plan meets together
     */
    List<Obligation> select(List<Obligation> decidedObligations, IntPredicate isOpen) {
        List<Integer> known = decidedObligations.stream().map(Obligation::job).toList();
        List<Obligation> guaranteed = Stream.concat(
                        Obligations.guaranteedDeadlines(candidates).stream(),
                        Obligations.stints(candidates, isOpen).stream())
                .filter(obligation -> !known.contains(obligation.job()))
                .toList();
        List<Obligation> hardObligations =
                Stream.concat(decidedObligations.stream(), guaranteed.stream()).toList();
        Set<Integer> bound = hardObligations.stream().map(Obligation::job).collect(Collectors.toSet());
        List<Obligation> softObligations = Stream.concat(
                        overdue.startObligations().stream().filter(obligation -> isOpen.test(obligation.job())),
                        Obligations.requestedDeadlines(candidates, isOpen).stream())
                .filter(obligation -> !bound.contains(obligation.job()))
                .limit(Obligations.MAX_WEIGHED)
                .toList();
        if (guaranteed.isEmpty() && softObligations.isEmpty()) {
            return decidedObligations;
        }
        List<Obligation> all = Stream.concat(hardObligations.stream(), softObligations.stream())
                .toList();
        List<Obligation> fitting = Obligations.fitting(candidates, hardObligations, softObligations);
        if (fitting.size() == all.size()) {
            return fitting;
        }
        List<Obligation> met = metTogether(hardObligations, softObligations);
        if (met.isEmpty() && !guaranteed.isEmpty()) {
            int max = Math.min(guaranteed.size(), Obligations.MAX_WEIGHED);
            met = metTogether(decidedObligations, guaranteed.subList(0, max));
        }
        return met.isEmpty() ? decidedObligations : met;
    }

    /**
     * Returns {@code hardObligations} and as many of {@code softObligations} as hold with them; none if
     * {@code hardObligations} does not hold, or if the effort ends first.
     */
    private List<Obligation> metTogether(List<Obligation> hardObligations, List<Obligation> softObligations) {
        if (candidates.size() > MAX_CANDIDATES) {
            return Obligations.fitting(candidates, hardObligations, softObligations);
        }
        RoundProgram program = new RoundProgram(candidates);
        program.obligationsAreMet(hardObligations);
        program.maximizeObligationsMet(softObligations);
        Solution solution = CpSat.solve(program, budget.share(SHARE), 0);
        budget.spend(solution.work());
        int[] choice = solution.choice();
        if (choice == null) {
            return List.of();
        }
        List<Obligation> met = new ArrayList<>(hardObligations);
        softObligations.stream()
                .filter(obligation -> obligation.candidates().contains(choice[obligation.job()]))
                .forEach(met::add);
        return met;
    }
}
