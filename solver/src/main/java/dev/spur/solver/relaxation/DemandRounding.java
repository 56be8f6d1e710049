package dev.spur.solver.relaxation;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.resource.NodeShareKind;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Levels to which the host demand of pieces is rounded down, which limits the number of kinds of pieces. With rounded
 * demand nodes hold more than in reality, so the dual bound stays valid.
 */
record DemandRounding(NavigableSet<Double> cpus, NavigableSet<Double> memory) {
    /** Returns a level for each demand. */
    static DemandRounding exact(Collection<NodeShareKind> kinds) {
        return new DemandRounding(levels(kinds, HostDemand::cpusPerSlot), levels(kinds, HostDemand::memoryGiBPerSlot));
    }

    private static NavigableSet<Double> levels(Collection<NodeShareKind> kinds, ToDoubleFunction<HostDemand> perSlot) {
        return kinds.stream()
                .map(kind -> perSlot.applyAsDouble(kind.demand()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns whether all demands are rounded to the same level. */
    boolean isCoarsest() {
        return cpus.size() <= 1 && memory.size() <= 1;
    }

    /** Returns about half of the levels, the lowest included. */
    DemandRounding coarser() {
        return new DemandRounding(everySecond(cpus), everySecond(memory));
    }

    private static NavigableSet<Double> everySecond(NavigableSet<Double> levels) {
        NavigableSet<Double> half = new TreeSet<>();
        int i = 0;
        for (double level : levels) {
            if (i++ % 2 == 0) {
                half.add(level);
            }
        }
        return half;
    }

    /** Returns {@code kind} with its demand rounded down; each demand is at least the lowest level. */
    NodeShareKind round(NodeShareKind kind) {
        return kind.withDemand(new HostDemand(
                floor(cpus, kind.demand().cpusPerSlot()),
                floor(memory, kind.demand().memoryGiBPerSlot())));
    }

    private static double floor(NavigableSet<Double> levels, double value) {
        return Objects.requireNonNull(levels.floor(value), "the demand is below the lowest level");
    }

    /** Returns the remaining kinds of pieces, the largest first. */
    List<NodeShareKind> kinds(Collection<NodeShareKind> exact) {
        return exact.stream()
                .map(this::round)
                .distinct()
                .sorted(NodeShareKind.LARGEST_FIRST)
                .toList();
    }
}
