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
 * Sia: one configuration for each job, by normalized goodput to a power, with a cost for waiting and for changes.
 *
 * <pre>
 * v(j, c)  = (normalized goodput * r)^p,   r = 1 for what j holds, or if it holds nothing,
 *            else max(age - restarts * penalty, 0) / (age + penalty), and 1 while age is below the penalty
 * minimize sum of v(j, c) over the choice + waitPenalty for each job that waits + changePenalty for each change
 * </pre>
 *
 * Goodput is normalized by the smallest of the job's candidates over all types; a job of fixed slots k has k on its
 * slowest type. Candidates are 1, 2, 4, .. slots of one node and whole nodes, which always pack. For a power above 0
 * the sum of v is maximized. A job's weight multiplies all of its terms.
 *
 * <p>Source: Jayaram Subramanya et al., SOSP '23. Certain. Unlike the published program, no value is clipped, and a
 * configuration that does not run is no candidate; {@link SiaSettings} tell what else differs.
 */
public final class Sia implements Policy {
    private final String name;
    private final SiaSettings settings;

    /** What a job could have, and at which goodput. */
    private record Shape(NodePartition lane, int slots, double goodput) {}

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
        RoundView snapshot = RoundView.of(problem, BatchRule.BEST);
        ConfigurationProgram program = new ConfigurationProgram(snapshot);
        for (int j = 0; j < snapshot.jobs(); j++) {
            offer(snapshot, j, program);
        }
        PlacementState seating = new PlacementState(snapshot);
        new SiaPlacement(snapshot, seating).seat(program.solve());
        return seating.decision(RoundMemory.EMPTY);
    }

    private void offer(RoundView snapshot, int j, ConfigurationProgram program) {
        List<Shape> shapes = shapes(snapshot, j);
        double smallest = shapes.stream().mapToDouble(Shape::goodput).min().orElse(Double.POSITIVE_INFINITY);
        boolean rigid = shapes.stream().mapToInt(Shape::slots).distinct().count() == 1;
        for (Shape shape : shapes) {
            boolean kept = shape.slots() == snapshot.held(j) && shape.lane().equals(snapshot.heldLane(j));
            double factor = kept || snapshot.held(j) == 0 ? 1 : restartFactor(snapshot.job(j), snapshot.now());
            double normalized = shape.goodput() / smallest * (rigid ? shape.slots() : 1);
            double value = rounded(Math.pow(normalized * factor, settings.power()));
            if (Double.isFinite(value)) {
                program.offer(j, shape.lane(), shape.slots(), worth(snapshot.job(j), value, kept));
            }
        }
    }

    private double rounded(double value) {
        return settings.step() > 0 ? Math.rint(value / settings.step()) * settings.step() : value;
    }

    /** What it adds to the sum that is maximized, compared with waiting. */
    private double worth(Job job, double value, boolean kept) {
        double gain = settings.power() < 0 ? -value : value;
        double change = kept ? settings.changePenalty() : -settings.changePenalty();
        return job.spec().effectiveWeight() * (gain + settings.waitPenalty() + change);
    }

    /** How much of the time so far would be left for work with one restart more; 1 for a job younger than a restart. */
    static double restartFactor(Job job, double now) {
        double penalty = job.spec().restartPenaltySeconds();
        double age = Math.max(0, now - job.arrival());
        if (age < penalty || age + penalty == 0) {
            return 1;
        }
        return Math.max(age - job.history().restarts() * penalty, 0) / (age + penalty);
    }

    /** Shapes that always pack, and what the job holds; all that it allows if none of those is among them. */
    private static List<Shape> shapes(RoundView snapshot, int j) {
        List<Shape> all = new ArrayList<>();
        List<Shape> packing = new ArrayList<>();
        for (NodePartition lane : snapshot.lanesOf(j)) {
            for (int slots : snapshot.counts(j, lane)) {
                Shape shape = new Shape(lane, slots, snapshot.goodput(j, lane, slots));
                boolean held = slots == snapshot.held(j) && lane.equals(snapshot.heldLane(j));
                all.add(shape);
                if (held || packs(lane, slots)) {
                    packing.add(shape);
                }
            }
        }
        return packing.isEmpty() ? all : packing;
    }

    private static boolean packs(NodePartition lane, int slots) {
        return slots <= lane.nodeSlots()
                ? Integer.bitCount(slots) == 1 || slots == lane.nodeSlots()
                : slots % lane.nodeSlots() == 0;
    }
}
