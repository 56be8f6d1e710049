package dev.spur.policies.sia;

import dev.spur.model.job.Job;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.policies.support.BatchRule;
import dev.spur.policies.support.ConfigurationProgram;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.PlacementState;
import dev.spur.policies.support.RoundView;
import dev.spur.solver.policy.Decision;
import dev.spur.solver.policy.Policy;
import java.util.ArrayList;
import java.util.List;

/**
 * Sia: one configuration for each job, by a power of normalized goodput, with a cost for waiting and for changes.
 *
 * <pre>
 * v(j, c)  = (normalized goodput * r)^p,   r = 1 for what j holds, or if it holds nothing,
 *            else max(age - restarts * penalty, 0) / (age + penalty), and 1 while age is below the penalty
 * minimize sum of v(j, c) over the choice + waitPenalty for each job that waits + changePenalty for each change
 * </pre>
 *
 * Goodput is normalized by the minimum over the job's candidates of all types; for a rigid job of k slots, its goodput
 * on the slowest type is k. Candidates are 1, 2, 4, .. slots of one node and whole nodes, which can always be placed.
 * For an exponent above 0 the sum of v is maximized. The weight of a job multiplies all its terms.
 *
 * <p>Source: Jayaram Subramanya et al., SOSP '23. Certain. Unlike the published program, values are not clipped, and an
 * infeasible configuration is no candidate. {@link SiaSettings} holds the other differences.
 */
public final class Sia implements Policy {
    private final String name;
    private final SiaSettings settings;

    /** A candidate shape of a job with its goodput. */
    private record Shape(NodePartition partition, int slots, double goodput) {}

    public Sia(String name, SiaSettings settings) {
        this.name = name;
        this.settings = settings;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Decision decide(RoundProblem problem) {
        RoundView view = RoundView.of(problem, BatchRule.BEST);
        ConfigurationProgram program = new ConfigurationProgram(view);
        for (int j = 0; j < view.jobs(); j++) {
            offer(view, j, program);
        }
        PlacementState placement = new PlacementState(view);
        new SiaPlacement(view, placement).placeAll(program.solve());
        return placement.decision(RoundMemory.EMPTY);
    }

    private void offer(RoundView view, int j, ConfigurationProgram program) {
        List<Shape> shapes = shapes(view, j);
        double smallest = shapes.stream().mapToDouble(Shape::goodput).min().orElse(Double.POSITIVE_INFINITY);
        boolean rigid = shapes.stream().mapToInt(Shape::slots).distinct().count() == 1;
        for (Shape shape : shapes) {
            boolean retained =
                    shape.slots() == view.heldSlots(j) && shape.partition().equals(view.heldPartition(j));
            double factor = retained || view.heldSlots(j) == 0 ? 1 : restartFactor(view.job(j), view.now());
            double normalized = shape.goodput() / smallest * (rigid ? shape.slots() : 1);
            double value = round(Math.pow(normalized * factor, settings.power()));
            if (Double.isFinite(value)) {
                program.offer(j, shape.partition(), shape.slots(), utility(view.job(j), value, retained));
            }
        }
    }

    private double round(double value) {
        return settings.step() > 0 ? Math.rint(value / settings.step()) * settings.step() : value;
    }

    /** Returns the objective coefficient in the maximized sum, relative to waiting. */
    private double utility(Job job, double value, boolean retained) {
        double gain = settings.power() < 0 ? -value : value;
        double change = retained ? settings.changePenalty() : -settings.changePenalty();
        return job.spec().weight() * (gain + settings.waitPenalty() + change);
    }

    /**
     * Returns the fraction of the job's age that would remain for work with one more restart; 1 for a job younger than
     * a restart.
     */
    static double restartFactor(Job job, double now) {
        double penalty = job.spec().restartPenaltySeconds();
        double age = Math.max(0, now - job.arrival());
        if (age < penalty || age + penalty == 0) {
            return 1;
        }
        return Math.max(age - job.history().restarts() * penalty, 0) / (age + penalty);
    }

    /**
     * Returns the shapes that can always be placed and the current allocation; all allowed shapes if there is none of
     * these.
     */
    private static List<Shape> shapes(RoundView view, int j) {
        List<Shape> all = new ArrayList<>();
        List<Shape> packing = new ArrayList<>();
        for (NodePartition partition : view.partitionsOf(j)) {
            for (int slots : view.counts(j, partition)) {
                Shape shape = new Shape(partition, slots, view.goodput(j, partition, slots));
                boolean held = slots == view.heldSlots(j) && partition.equals(view.heldPartition(j));
                all.add(shape);
                if (held || packs(partition, slots)) {
                    packing.add(shape);
                }
            }
        }
        return packing.isEmpty() ? all : packing;
    }

    private static boolean packs(NodePartition partition, int slots) {
        return slots <= partition.nodeSlots()
                ? Integer.bitCount(slots) == 1 || slots == partition.nodeSlots()
                : slots % partition.nodeSlots() == 0;
    }
}
