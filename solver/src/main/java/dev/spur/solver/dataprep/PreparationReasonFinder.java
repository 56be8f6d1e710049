package dev.spur.solver.dataprep;

import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.round.PendingJob;
import dev.spur.model.round.PendingReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Pending reasons of preparations: the demand of each is compared with the resources that the others leave. */
final class PreparationReasonFinder {
    private final PreparationAssignment assignment;
    private final HostNodes nodes;

    private PreparationReasonFinder(PreparationAssignment assignment) {
        this.assignment = assignment;
        this.nodes = assignment.nodes();
    }

    /**
     * Returns the pending preparations of {@code assignment} in descending order of utility; among equal ones, in order
     * of arrival.
     */
    static List<PendingJob> pendingJobs(PreparationAssignment assignment) {
        PreparationReasonFinder why = new PreparationReasonFinder(assignment);
        List<Integer> waiting = new ArrayList<>(IntStream.range(0, assignment.count())
                .filter(j -> assignment.placement(j) == null)
                .boxed()
                .toList());
        waiting.sort(Comparator.<Integer>comparingDouble(j -> -assignment.weight(j))
                .thenComparingDouble(j -> assignment.preparation(j).arrival())
                .thenComparing(j -> assignment.preparation(j).id()));
        List<PendingJob> pendingJobs = new ArrayList<>();
        for (int j : waiting) {
            pendingJobs.add(why.pending(j, pendingJobs.size() + 1));
        }
        return pendingJobs;
    }

    private PendingJob pending(int j, int position) {
        Preparation preparation = assignment.preparation(j);
        List<Integer> pools = filter(all(), v -> nodes.isInItsPools(preparation, v));
        if (pools.isEmpty()) {
            return plain(
                    j,
                    position,
                    PendingReason.NO_MATCHING_NODES,
                    "No node belongs to a pool that the preparation allows.");
        }
        List<Integer> large = filter(pools, v -> couldEverStart(preparation, v));
        if (large.isEmpty()) {
            return plain(
                    j,
                    position,
                    PendingReason.UNSATISFIABLE,
                    "No node of the empty cluster has %s CPUs and %d GiB of memory, with lenders for the rest of %d GiB."
                            .formatted(
                                    number(preparation.spec().cpus()),
                                    preparation.spec().minLocalGiB(),
                                    preparation.spec().workingSetGiB()));
        }
        List<Integer> active = filter(large, nodes::takesNewJobs);
        if (active.isEmpty()) {
            String message = "Every suitable node is cordoned or draining.";
            return plain(j, position, PendingReason.NODES_UNAVAILABLE, message);
        }
        List<Integer> open = filter(active, v -> nodes.mayStart(preparation, v));
        return open.isEmpty()
                ? plain(j, position, PendingReason.RESERVED, "Every suitable node is reserved for others.")
                : shortOf(j, position, open);
    }

    private PendingJob shortOf(int j, int position, List<Integer> open) {
        PreparationSpec spec = assignment.spec(j);
        List<Integer> withCpus = filter(open, v -> assignment.residual().hasCpus(v, spec.cpus()));
        if (withCpus.isEmpty()) {
            double free = open.stream()
                    .mapToDouble(v -> assignment.residual().cpusLeft(v))
                    .max()
                    .orElse(0);
            String message = "Requires %s host CPUs on one node; allowed nodes have at most %s free."
                    .formatted(number(spec.cpus()), number(free));
            return new PendingJob(
                    assignment.preparation(j).id(),
                    PendingReason.INSUFFICIENT_HOST_RESOURCES,
                    "host-cpus",
                    spec.cpus(),
                    free,
                    position,
                    message);
        }
        int host = withCpus.stream()
                .max(Comparator.comparingInt(v -> assignment.residual().localRoom(v)))
                .orElseThrow();
        int remaining = assignment.residual().localRoom(host);
        return remaining < spec.minLocalGiB()
                ? shortOfLocalMemory(j, position, remaining)
                : shortOfLenders(j, position, host, Math.min(remaining, spec.workingSetGiB()));
    }

    private PendingJob shortOfLocalMemory(int j, int position, int remaining) {
        int needed = assignment.spec(j).minLocalGiB();
        String message =
                "Requires at least %d GiB of memory on one node; allowed nodes with enough CPUs have at most %d GiB free."
                        .formatted(needed, remaining);
        return new PendingJob(
                assignment.preparation(j).id(),
                PendingReason.INSUFFICIENT_LOCAL_MEMORY,
                "host-memory",
                (double) needed,
                (double) remaining,
                position,
                message);
    }

    private PendingJob shortOfLenders(int j, int position, int host, int local) {
        int needed = assignment.spec(j).workingSetGiB() - local;
        int lent = new LenderSelection(nodes, assignment.residual())
                .find(assignment.preparation(j), host, needed, new TreeMap<>()).values().stream()
                        .mapToInt(Integer::intValue)
                        .sum();
        String message = "A node can hold %d of its %d GiB, but other nodes can lend at most %d GiB of the rest."
                .formatted(local, assignment.spec(j).workingSetGiB(), lent);
        return new PendingJob(
                assignment.preparation(j).id(),
                PendingReason.INSUFFICIENT_REMOTE_MEMORY,
                "lent-memory",
                (double) needed,
                (double) lent,
                position,
                message);
    }

    /** Returns whether the preparation could start on {@code v} if all nodes were empty. */
    private boolean couldEverStart(Preparation preparation, int v) {
        int lent = all().stream()
                .filter(u -> u != v && nodes.isInItsPools(preparation, u))
                .map(nodes::lendableWhenEmpty)
                .sorted(Comparator.reverseOrder())
                .limit(nodes.fanOut())
                .mapToInt(Integer::intValue)
                .sum();
        return nodes.couldHold(preparation, v)
                && nodes.localWhenEmpty(preparation, v) + lent
                        >= preparation.spec().workingSetGiB();
    }

    private List<Integer> all() {
        return IntStream.range(0, nodes.count()).boxed().toList();
    }

    private static List<Integer> filter(List<Integer> some, IntPredicate condition) {
        return some.stream().filter(condition::test).toList();
    }

    private PendingJob plain(int j, int position, PendingReason reason, String message) {
        return new PendingJob(assignment.preparation(j).id(), reason, null, null, null, position, message);
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,d", (long) value)
                : String.format(Locale.ROOT, "%,.1f", value);
    }
}
