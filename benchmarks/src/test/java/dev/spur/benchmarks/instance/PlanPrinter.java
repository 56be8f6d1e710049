package dev.spur.benchmarks.instance;

import dev.spur.benchmarks.scaling.ConstraintSet;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policies;
import java.util.TreeMap;

/** Main class of a child process: plans two rounds of a generated cluster and prints the running jobs. */
final class PlanPrinter {
    private PlanPrinter() {}

    public static void main(String[] args) {
        System.out.print(plans());
    }

    /**
     * Returns both plans, one line per running job. Work is limited and wall-clock time is not, so the result is
     * deterministic.
     */
    static String plans() {
        RoundSettings settings = RoundSettings.DEFAULT.withEffort(1e-4, new SolveBudget(0.5, 3600, 1, 7));
        RoundProblem first = InstanceGenerator.waiting(7, 80, 128, ConstraintSet.FULL.features(), settings);
        Decision decision = Policies.spur().decide(first);
        RoundProblem second = new RoundTransition(first.jobs(), 60, 7).next(first, decision.plan());
        return lines(decision) + "\n" + lines(Policies.spur().decide(second));
    }

    private static String lines(Decision decision) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(decision.allocations())
                .forEach((job, allocation) ->
                        text.append(job).append(' ').append(allocation).append('\n'));
        return text.toString();
    }
}
