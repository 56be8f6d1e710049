package dev.spur.simulator.dataprep;

import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Pool;
import dev.spur.model.dataprep.LendingSettings;
import dev.spur.model.dataprep.Loan;
import dev.spur.model.dataprep.MemoryUse;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.tenant.Tenant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Simulated nodes with their own use and their loans, and the active preparations. */
final class SimulatedHosts {
    private static final int RACK = 8;
    private static final double CPUS = 32;

    private final List<Node> nodes;
    private final BackgroundLoad ownLoad;
    private final List<Preparation> activePreparations = new ArrayList<>();

    SimulatedHosts(MemoryWorkload workload, long seed) {
        nodes = IntStream.range(0, workload.nodes())
                .mapToObj(v -> new Node(
                        "n%03d".formatted(v),
                        "main",
                        "r" + v / RACK,
                        null,
                        List.of(),
                        CPUS,
                        workload.memoryGiB(),
                        0,
                        0,
                        NodeState.ACTIVE))
                .toList();
        ownLoad = new BackgroundLoad(nodes.size(), workload.memoryGiB(), workload.ownShare(), workload.uneven(), seed);
    }

    BackgroundLoad ownLoad() {
        return ownLoad;
    }

    List<Preparation> activePreparations() {
        return activePreparations;
    }

    int count() {
        return nodes.size();
    }

    String id(int v) {
        return nodes.get(v).id();
    }

    double memoryGiB(int v) {
        return nodes.get(v).memoryGiB();
    }

    RoundProblem problem(double now, LendingSettings lending) {
        List<MemoryUse> use = IntStream.range(0, nodes.size())
                .mapToObj(v -> new MemoryUse(id(v), ownLoad.gib(v), 0, null))
                .toList();
        return new RoundProblem(
                RoundProblem.FORMAT,
                now,
                RoundSettings.DEFAULT.withLending(lending),
                List.of(),
                List.of(new Pool("main", false)),
                nodes,
                List.of(),
                List.of(new Tenant("root", null, 1, Map.of())),
                List.of(),
                List.of(),
                RoundMemory.EMPTY,
                activePreparations,
                use,
                List.of(),
                List.of(),
                List.of());
    }

    /** Returns the CPUs that no preparation uses. */
    double cpusLeft(int v) {
        return CPUS
                - grants().stream()
                        .filter(allocation -> allocation.node().equals(id(v)))
                        .mapToDouble(PreparationAllocation::cpus)
                        .sum();
    }

    /** Returns the GiB that preparations use on their own node. */
    int local(int v) {
        return grants().stream()
                .filter(allocation -> allocation.node().equals(id(v)))
                .mapToInt(PreparationAllocation::localGiB)
                .sum();
    }

    /** Returns the GiB that the node lends. */
    int lent(int v) {
        return grants().stream()
                .mapToInt(allocation -> allocation.borrowedFrom(id(v)))
                .sum();
    }

    /** Returns the free memory, GiB; below 0 if more is allocated than the node has. */
    double free(int v) {
        return memoryGiB(v) - ownLoad.gib(v) - local(v) - lent(v);
    }

    /** Returns true if a lender has less free memory than its headroom. */
    boolean isLenderBelowHeadroom(LendingSettings settings) {
        return IntStream.range(0, count())
                .anyMatch(v -> lent(v) > 0 && free(v) < settings.headroom(memoryGiB(v)) - 1e-6);
    }

    private List<PreparationAllocation> grants() {
        List<PreparationAllocation> grants = new ArrayList<>();
        for (Preparation preparation : activePreparations) {
            if (preparation.grant() != null) {
                grants.add(preparation.grant());
            }
        }
        return grants;
    }

    void give(int j, PreparationAllocation allocation) {
        activePreparations.set(j, activePreparations.get(j).withGrant(allocation));
    }

    /** Revokes {@code gib} that the node lends to preparation {@code j}. */
    void takeBack(int j, int lender, int gib) {
        PreparationAllocation allocation = activePreparations.get(j).grant();
        if (allocation != null) {
            List<Loan> loans = new ArrayList<>();
            for (Loan loan : allocation.loans()) {
                int left = loan.lender().equals(id(lender)) ? loan.gib() - gib : loan.gib();
                if (left > 0) {
                    loans.add(new Loan(loan.lender(), left));
                }
            }
            give(j, allocation.withLoans(loans));
        }
    }
}
