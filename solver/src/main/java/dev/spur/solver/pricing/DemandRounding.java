package dev.spur.solver.pricing;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.program.NodeShareKind;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Levels to which the host demand of pieces is rounded down, which limits the number of kinds of pieces. With rounded
 * demand nodes hold more than in reality, so the dual bound stays valid.
 */
final class DemandRounding {
    private final NavigableSet<Double> cpus;
    private final NavigableSet<Double> memory;

    private DemandRounding(NavigableSet<Double> cpus, NavigableSet<Double> memory) {
        this.cpus = cpus;
        this.memory = memory;
    }

    /** Returns a level for each demand. */
    static DemandRounding exact(Collection<NodeShareKind> kinds) {
        return new DemandRounding(
                kinds.stream().map(kind -> kind.demand().cpusPerSlot()).collect(Collectors.toCollection(TreeSet::new)),
                kinds.stream()
                        .map(kind -> kind.demand().memoryGiBPerSlot())
                        .collect(Collectors.toCollection(TreeSet::new)));
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
        boolean take = true;
        for (double level : levels) {
            if (take) {
                half.add(level);
            }
            take = !take;
        }
        return half;
    }

    /** Returns the level of {@code demand}, which is at least the lowest level. */
    HostDemand of(HostDemand demand) {
        return new HostDemand(floor(cpus, demand.cpusPerSlot()), floor(memory, demand.memoryGiBPerSlot()));
    }

    private static double floor(NavigableSet<Double> levels, double value) {
        Double level = levels.floor(value);
        return level == null ? 0 : level;
    }

    /** Returns the remaining kinds of pieces in descending order of size. */
    List<NodeShareKind> kinds(Collection<NodeShareKind> exact) {
        return exact.stream()
                .map(kind -> new NodeShareKind(kind.size(), of(kind.demand())))
                .distinct()
                .sorted(Comparator.comparingInt((NodeShareKind kind) -> -kind.size())
                        .thenComparingDouble(kind -> -kind.demand().cpusPerSlot())
                        .thenComparingDouble(kind -> -kind.demand().memoryGiBPerSlot()))
                .toList();
    }
}
