package dev.spur.solver.dataprep;

import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.dataprep.SlowdownCurve;
import dev.spur.model.round.SolveBudget;
import dev.spur.solver.solve.LinearProgram;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Upper bound on the utility of any placement: a linear program in which preparations are divisible, and nodes with
 * similar free memory form one class, as do lenders.
 *
 * <p>Between two points of its curve the gain 1 / slowdown of a preparation is convex in its local memory. A mixture of
 * both ends therefore has at least the utility of any point between, and only the ends are offered.
 */
final class PreparationBound {
    private static final int MAX_CLASSES = 16;
    private static final int MAX_STEPS = 16;
    /** Tolerance far above those of the linear programming solver. */
    private static final double TOLERANCE = 1e-6;

    private final PreparationAssignment baseAssignment;
    private final HostNodes nodes;
    private final LinearProgram program = new LinearProgram();
    private final List<NodeClass> classes = new ArrayList<>();
    private final int memoryRow;
    private final int lendingRow;
    private final double leastLoss;

    /**
     * Nodes with similar free memory.
     *
     * @param members their numbers
     * @param localRow row of the local memory of preparations
     * @param cpuRow row of their CPUs
     */
    private record NodeClass(List<Integer> members, int localRow, int cpuRow) {}

    private PreparationBound(PreparationAssignment baseAssignment) {
        this.baseAssignment = baseAssignment;
        this.nodes = baseAssignment.nodes();
        this.memoryRow = program.atMost(sum(this::memory));
        this.lendingRow = program.atMost(sum(this::lending));
        this.leastLoss = all().mapToDouble(nodes::leastLoss).min().orElse(0);
        classify();
    }

    /** Returns the bound when pending preparations are placed and running ones grow. */
    static double of(PreparationAssignment baseAssignment, int seed) {
        PreparationBound bound = new PreparationBound(baseAssignment);
        for (int j = 0; j < baseAssignment.count(); j++) {
            if (baseAssignment.placement(j) == null) {
                bound.offerStarts(j);
            } else {
                bound.offerGrowth(j);
            }
        }
        double worth = bound.program
                .maximize(new SolveBudget(100, 60, 1, seed), 0)
                .orElseThrow(() -> new IllegalStateException(
                        "linear program of the bound has no solution, although all preparations pending is feasible"))
                .bestBound();
        // The time limit may leave no bound. No preparation exceeds its utility at full speed.
        worth = Math.min(
                worth,
                IntStream.range(0, baseAssignment.count())
                        .mapToDouble(baseAssignment::weight)
                        .sum());
        return worth + TOLERANCE * Math.max(1, Math.abs(worth));
    }

    private IntStream all() {
        return IntStream.range(0, nodes.count());
    }

    private double sum(IntUnaryOperator gib) {
        return all().map(gib).asDoubleStream().sum();
    }

    private int memory(int v) {
        return nodes.takesNewJobs(v)
                ? baseAssignment.residual().remainingAfterLocal(v)
                : baseAssignment.residual().lent(v);
    }

    private int lending(int v) {
        return nodes.takesNewJobs(v)
                ? baseAssignment.residual().lendableAfterLocal(v)
                : baseAssignment.residual().lent(v);
    }

    private int local(int v) {
        return nodes.takesNewJobs(v) ? baseAssignment.residual().remainingAfterLocal(v) : 0;
    }

    private void classify() {
        List<Integer> sorted = new ArrayList<>(all().boxed().toList());
        sorted.sort(Comparator.comparingInt(this::local));
        int size = Math.max(1, (sorted.size() + MAX_CLASSES - 1) / MAX_CLASSES);
        for (int from = 0; from < sorted.size(); from += size) {
            List<Integer> members = List.copyOf(sorted.subList(from, Math.min(sorted.size(), from + size)));
            int localRow =
                    program.atMost(members.stream().mapToDouble(this::local).sum());
            int cpuRow = program.atMost(members.stream()
                    .mapToDouble(v -> baseAssignment.residual().cpusLeft(v))
                    .sum());
            classes.add(new NodeClass(members, localRow, cpuRow));
        }
    }

    private void offerStarts(int j) {
        PreparationSpec spec = baseAssignment.spec(j);
        int row = program.atMost(1);
        for (NodeClass nodeClass : classes) {
            int free = nodeClass.members().stream()
                    .filter(v -> nodes.mayStart(baseAssignment.preparation(j), v)
                            && baseAssignment.residual().hasCpus(v, spec.cpus()))
                    .mapToInt(this::local)
                    .max()
                    .orElse(0);
            int max = Math.min(free, spec.workingSetGiB());
            if (max >= spec.minLocalGiB()) {
                for (double local : ends(spec, spec.minLocalGiB(), max)) {
                    double borrowed = spec.workingSetGiB() - local;
                    int column = column(j, row, nodeClass, local, borrowed, gain(spec, local, borrowed));
                    program.add(nodeClass.cpuRow(), column, spec.cpus());
                }
            }
        }
    }

    /** Adds the options of a running preparation: its present memory, or more memory of its node and of lenders. */
    private void offerGrowth(int j) {
        PreparationPlacement placement = Objects.requireNonNull(baseAssignment.placement(j));
        PreparationSpec spec = baseAssignment.spec(j);
        int row = program.row(1, 1);
        NodeClass own = classes.stream()
                .filter(nodeClass -> nodeClass.members().contains(placement.node()))
                .findFirst()
                .orElseThrow();
        int min = placement.localGiB();
        int free = nodes.mayStart(baseAssignment.preparation(j), placement.node()) ? local(placement.node()) : 0;
        int max = Math.max(min, Math.min(spec.workingSetGiB(), min + free));
        int steps = Math.min(MAX_STEPS, max - min);
        int from = min;
        for (int step = 0; step <= steps; step++) {
            // A step uses its lower end and gains as much as its upper end.
            int to = steps == 0 ? min : min + (int) ((long) (max - min) * step / steps);
            int missing = Math.max(0, spec.workingSetGiB() - to);
            int retained = Math.min(missing, placement.borrowedGiB());
            for (int borrowed : new TreeSet<>(List.of(retained, missing))) {
                double upper = gain(spec, to, borrowed);
                column(j, row, own, from - min, borrowed, upper);
            }
            from = Math.min(max, to + 1);
        }
    }

    private int column(int j, int row, NodeClass nodeClass, double newLocal, double borrowed, double gain) {
        double loss = leastLoss * borrowed / baseAssignment.spec(j).workingSetGiB();
        int column = program.variable(0, 1, baseAssignment.weight(j) * (gain - loss));
        program.add(row, column, 1);
        program.add(nodeClass.localRow(), column, newLocal);
        program.add(memoryRow, column, newLocal + borrowed);
        program.add(lendingRow, column, borrowed);
        return column;
    }

    private static double gain(PreparationSpec spec, double localGiB, double borrowedGiB) {
        double all = spec.workingSetGiB();
        return 1 / spec.slowDown().at(localGiB / all, borrowedGiB / all);
    }

    private static Set<Double> ends(PreparationSpec spec, int min, int max) {
        TreeSet<Double> ends = new TreeSet<>(List.of((double) min, (double) max));
        spec.slowDown().points().stream()
                .map(SlowdownCurve.Point::localFraction)
                .map(share -> share * spec.workingSetGiB())
                .filter(gib -> gib > min && gib < max)
                .forEach(ends::add);
        return ends;
    }
}
