package dev.spur.solver.policy;

import dev.spur.model.round.SearchStep;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.PartialPlacement;
import dev.spur.solver.program.Obligation;
import dev.spur.solver.resource.RestartLimit;
import dev.spur.solver.solve.RemainingBudget;
import dev.spur.solver.solve.SolveResult;
import dev.spur.solver.solve.StepTimer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Solve of a round by priority classes, from the highest: each class takes its optimum on what the higher ones leave.
 *
 * <p>A stage without contention is decided by a greedy plan in which each job has its maximum utility. In any other
 * stage the running jobs of lower classes take part with small utilities. Together they pay for a loss of at most a
 * tenth of the gap target. They choose among equal plans of the class. docs/model/formulation.md states the rules.
 */
final class ClassLoop {
    /**
     * Sum of the utilities of all lower jobs relative to the value of the open class: below the tolerance of a proved
     * optimum, above the rounding of the program.
     */
    private static final double LOWER_SHARE = 5e-8;
    /** The same share relative to the gap target, in rounds too large for a proof. */
    private static final double LOWER_SHARE_OF_GAP = 0.1;
    /** Number of candidates above which a round is too large for a proof. */
    private static final int LARGE = 3_000;

    private final CandidateSet candidates;
    private final RemainingBudget budget;
    private final StepTimer steps;
    private final List<Integer> classes;
    private final ClassRoles roles;
    private final DecidedJobs decided;
    private final Set<Integer> guaranteed;
    private final StageSolver solver;
    private final ClassResult result = new ClassResult();
    private StandingPlan plan;

    /** @param classes classes of jobs with a choice, from the highest */
    ClassLoop(Solver solver, CandidateSet candidates, List<Integer> classes, RemainingBudget budget, StepTimer steps) {
        this.candidates = candidates;
        this.classes = List.copyOf(classes);
        this.budget = budget;
        this.steps = steps;
        this.roles = new ClassRoles(candidates);
        this.decided = new DecidedJobs(candidates);
        this.solver = new StageSolver(solver, budget, steps);
        this.guaranteed = Obligations.guaranteedDeadlines(candidates).stream()
                .map(Obligation::job)
                .collect(Collectors.toSet());
        this.plan = StandingPlan.ofLastRound(candidates);
    }

    /** Decides all classes. */
    SolveResult solve() {
        for (int k = 0; k < classes.size(); k++) {
            roles.begin(classes.get(k));
            boolean isLast = k == classes.size() - 1;
            List<Integer> never = roles.openWithoutPreemption().boxed().toList();
            if (!never.isEmpty() && lowerRuns()) {
                decide(lowerThatStays(), false);
                never.forEach(this::record);
            }
            if (roles.open().findAny().isPresent()) {
                decide(null, isLast);
                roles.open().boxed().toList().forEach(this::record);
            }
        }
        return result.of(plan.placement());
    }

    /** Returns the commitments that the plan meets, after {@link #solve}. */
    List<Obligation> commitments() {
        return decided.commitments();
    }

    /** Returns the sum of the utilities of each class above {@code priority}, after {@link #solve}. */
    Map<Integer, Double> valuesAbove(int priority) {
        Map<Integer, Double> values = new HashMap<>();
        for (int j = 0; j < candidates.jobs(); j++) {
            int own = candidates.job(j).spec().priority();
            if (own > priority) {
                values.merge(own, decided.utility(j), Double::sum);
            }
        }
        return values;
    }

    private void record(int j) {
        roles.decide(j);
        decided.add(j, plan);
    }

    private boolean lowerRuns() {
        return IntStream.range(0, candidates.jobs())
                .anyMatch(j -> roles.isLower(j) && !candidates.isPinned(j) && candidates.retainedCandidate(j) >= 0);
    }

    /** Returns the lower jobs that keep their allocations if the open class stops none. */
    private boolean[] lowerThatStays() {
        int[] choice = StageStart.keepingLower(candidates, roles, plan, guaranteed::contains)
                .choice();
        boolean[] stays = new boolean[choice.length];
        for (int j = 0; j < stays.length; j++) {
            stays[j] = roles.isLower(j)
                    && choice[j] >= 0
                    && candidates.get(choice[j]).isRetained();
        }
        return stays;
    }

    /** Decides the open jobs; no lower job in {@code stays} is stopped. */
    private void decide(boolean @Nullable [] stays, boolean isLast) {
        boolean preempts = stays == null;
        double before = roles.ofClass()
                .filter(roles::isDecided)
                .mapToDouble(decided::utility)
                .sum();
        double most =
                roles.open().mapToDouble(j -> StageStart.maximum(candidates, j)).sum();
        PartialPlacement best = isLast ? null : maximumUtilities(preempts);
        if (best == null) {
            double bound = Math.min(most, solve(stays, isLast));
            result.bound(roles.priority(), before + bound);
        } else {
            plan = StandingPlan.of(candidates, best);
            result.bound(roles.priority(), before + most);
        }
    }

    /** Solves the program of the stage; returns the bound on the value of the open jobs. */
    private double solve(boolean @Nullable [] stays, boolean isLast) {
        PartialPlacement startPlacement = start(stays == null);
        ClassStage stage = new ClassStage(candidates, roles, decided, guaranteed, stays, lowerFactor(startPlacement));
        List<Obligation> obligations = steps.time(
                "obligations",
                () -> new CommitmentSelection(stage.candidates(), budget).select(stage.decisions(), roles::isOpen));
        SolveResult found = solver.solve(stage, obligations, stage.own(startPlacement), share(isLast));
        StandingPlan next = stage.inRound(StandingPlan.of(stage.candidates(), found.placement()));
        boolean isHeld = decided.hold(next);
        plan = isHeld ? next : StandingPlan.of(candidates, startPlacement);
        result.add(isHeld ? found : found.foundBy(SearchStep.REPAIR), least(stage, isLast));
        obligations.stream()
                .filter(obligation -> !roles.isDecided(obligation.job()))
                .map(stage::inRound)
                .filter(obligation -> obligation.candidates().contains(plan.choice()[obligation.job()]))
                .forEach(decided::commit);
        return boundOfOpen(found.bestBound());
    }

    /** Returns the better one of two greedy plans: by the value of the open class, then of the lower ones. */
    private PartialPlacement start(boolean preempts) {
        PartialPlacement keeping = StageStart.keepingLower(candidates, roles, plan, guaranteed::contains);
        if (!preempts) {
            return keeping;
        }
        PartialPlacement first = StageStart.openFirst(candidates, roles, plan, guaranteed::contains);
        double gain = value(first, roles::isOpen) - value(keeping, roles::isOpen);
        boolean isBetter = gain > 0 || (gain == 0 && value(first, roles::isLower) > value(keeping, roles::isLower));
        return isBetter && staysWithinRestartLimit(first) ? first : keeping;
    }

    private double value(PartialPlacement startPlacement, IntPredicate which) {
        return IntStream.range(0, candidates.jobs())
                .filter(j -> which.test(j) && startPlacement.choice()[j] >= 0)
                .mapToDouble(j -> candidates.get(startPlacement.choice()[j]).utility())
                .sum();
    }

    private boolean staysWithinRestartLimit(PartialPlacement startPlacement) {
        RestartLimit limit = decided.restarts();
        return !limit.applies() || limit.restarts(startPlacement.choice()) <= limit.limit();
    }

    /** Returns the factor of the utilities of lower classes. */
    private double lowerFactor(PartialPlacement startPlacement) {
        double lower = IntStream.range(0, candidates.jobs())
                .filter(j -> roles.isLower(j) && candidates.first(j) < candidates.end(j))
                .mapToDouble(j -> Math.max(0, StageStart.maximum(candidates, j)))
                .sum();
        double reached = value(startPlacement, roles::isOpen);
        double own = reached > 0
                ? reached
                : openUtilities().filter(utility -> utility > 0).min().orElse(0);
        double gap = candidates.size() > LARGE ? candidates.problem().settings().gapTarget() : 0;
        return lower == 0 ? 0 : Math.max(LOWER_SHARE, LOWER_SHARE_OF_GAP * gap) * own / lower;
    }

    private DoubleStream openUtilities() {
        return roles.open()
                .flatMap(j -> IntStream.range(candidates.first(j), candidates.end(j)))
                .mapToDouble(c -> candidates.get(c).utility());
    }

    /**
     * Returns the bound on the value of the open jobs: that of the stage, or 0 if it excludes the start of every job.
     */
    private double boundOfOpen(double ofStage) {
        return openUtilities().min().orElse(0) > ofStage ? 0 : ofStage;
    }

    /**
     * Returns a plan in which each open job has its maximum utility; null if none is found, or if a deadline may
     * require another one. Such a plan starts every starving job that gains from its start.
     */
    private @Nullable PartialPlacement maximumUtilities(boolean preempts) {
        boolean hasDeadline = !guaranteed.isEmpty()
                || roles.open().anyMatch(j -> candidates.job(j).deadline() != null);
        for (boolean lowerStays : preempts ? List.of(true, false) : List.of(true)) {
            PartialPlacement best = hasDeadline
                    ? null
                    : StageStart.withMaximumUtilities(candidates, roles, plan, guaranteed::contains, lowerStays);
            if (best != null && staysWithinRestartLimit(best)) {
                return best;
            }
        }
        return null;
    }

    /** Returns the share of the remaining effort for this stage: that of its candidates among those left to decide. */
    private double share(boolean isLast) {
        double left = 0;
        double own = 0;
        for (int j = 0; j < candidates.jobs(); j++) {
            int count = candidates.end(j) - candidates.first(j);
            own += roles.isOpen(j) ? count : 0;
            left += roles.isDecided(j) ? 0 : count;
        }
        return isLast || left == 0 ? 1 : own / left;
    }

    /** Returns the price up to which a resource is scarce for lower classes only. */
    private double least(ClassStage stage, boolean isLast) {
        return isLast
                ? 0
                : IntStream.range(0, stage.candidates().size())
                        .filter(c -> roles.isLower(stage.candidates().get(c).job()))
                        .mapToDouble(c -> stage.candidates().get(c).utility())
                        .max()
                        .orElse(0);
    }
}
