package dev.spur.benchmarks.scaling;

import dev.spur.benchmarks.instance.Feature;
import dev.spur.benchmarks.instance.InstanceGenerator;
import dev.spur.benchmarks.instance.MeasuredRound;
import dev.spur.benchmarks.instance.RoundTransition;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.Job;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.simulator.trace.parsing.DataFolder;
import dev.spur.solver.policy.Policies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Instances to measure: generated from a seed, or from recorded workloads. */
public final class Cases {
    /** Seconds between the previous round, which placed the running jobs, and the measured round. */
    private static final double SINCE_LAST_ROUND = 300;
    /** Seconds from a measured round to the next. */
    private static final double PERIOD_SECONDS = 60;
    /** Gap limit of the previous round, which is not measured. */
    private static final double EARLIER_GAP = 0.01;

    private Cases() {}

    /**
     * Returns a generated round of this size. With running jobs among the features, a previous round plans four fifths
     * of the jobs.
     */
    public static Case generate(Size size, ConstraintSet program, long seed, RoundSettings settings) {
        RoundProblem waiting = InstanceGenerator.waiting(seed, size.jobs(), size.slots(), program.features(), settings);
        return new Case(
                program.name(), program.features().contains(Feature.RESTARTS) ? afterAnEarlierRound(waiting) : waiting);
    }

    /** Opens the closed nodes in the previous round, so that some jobs have to move in the measured one. */
    private static RoundProblem afterAnEarlierRound(RoundProblem waiting) {
        List<Job> early = waiting.jobs().subList(0, waiting.jobs().size() * 4 / 5);
        List<Node> open = waiting.nodes().stream()
                .map(node -> node.withState(NodeState.ACTIVE))
                .toList();
        RoundPlan before = Policies.spur()
                .plan(waiting.withJobs(early)
                        .withNodes(open)
                        .withoutReservations()
                        .withSettings(waiting.settings().withEffort(EARLIER_GAP, new SolveBudget(5, 60, 1, 1))));
        return RoundTransition.later(waiting, before, SINCE_LAST_ROUND, waiting.jobs());
    }

    /**
     * Returns all jobs of a scaled workload of Sia, waiting at once, on powers of two.
     *
     * @param scale multiple of 160 jobs and of 64 slots; those of the data folder are 2, 4, 8, 16, 32
     * @throws IllegalStateException if there is no data folder
     */
    public static Case ofSia(int scale, RoundSettings settings) throws IOException {
        Path data = DataFolder.require();
        String workload = "scale/scale-%dx.csv".formatted(scale);
        return new Case("sia-%dx".formatted(scale), MeasuredRound.problem(data, workload, scale, true, settings));
    }

    /** Returns the round after {@code before}, whose plan is {@code plan}: one job in twenty has ended or is new. */
    public static Case oneRoundLater(Case before, RoundPlan plan, long seed) {
        return new Case(
                before.program() + ", next round",
                new RoundTransition(before.problem().jobs(), PERIOD_SECONDS, seed).next(before.problem(), plan));
    }
}
