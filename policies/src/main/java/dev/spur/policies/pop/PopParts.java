package dev.spur.policies.pop;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Reservation;
import dev.spur.model.job.Job;
import dev.spur.model.round.JobPins;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Partition of a round into similar parts: nodes and jobs by random round-robin; aggregation slots, quotas, caps of
 * groups and the restart limit evenly, with remainders one by one.
 *
 * <p>A running job belongs to the part of its nodes if they are all in one part; otherwise it restarts in some part.
 */
final class PopParts {
    private final RoundProblem problem;
    private final int count;
    private final Random random;
    private final Map<String, Integer> partOf;
    private final List<List<Job>> jobs;
    private final PopQuotas quotas;

    private PopParts(RoundProblem problem, int count) {
        this.problem = problem;
        this.count = count;
        this.random = new Random(problem.settings().budget().seed());
        this.jobs = IntStream.range(0, count)
                .<List<Job>>mapToObj(part -> new ArrayList<>())
                .toList();
        this.partOf = PopNodes.deal(problem, count, random);
        dealJobs();
        this.quotas = new PopQuotas(problem, jobs);
    }

    /** Returns {@code count} problems whose plans together are one for {@code problem}, if its quotas allow. */
    static List<RoundProblem> of(RoundProblem problem, int count) {
        PopParts parts = new PopParts(problem, count);
        return IntStream.range(0, count).mapToObj(parts::part).toList();
    }

    private void dealJobs() {
        List<Job> free = new ArrayList<>();
        for (Job job : problem.jobs()) {
            Integer part = partThatHolds(job.allocation());
            if (part == null) {
                free.add(job);
            } else {
                jobs.get(part).add(job);
            }
        }
        Collections.shuffle(free, random);
        for (int i = 0; i < free.size(); i++) {
            jobs.get(i % count).add(free.get(i).withoutAllocationSince(problem.now()));
        }
    }

    private @Nullable Integer partThatHolds(@Nullable Allocation heldAllocation) {
        if (heldAllocation == null) {
            return null;
        }
        Set<Integer> parts = new HashSet<>();
        heldAllocation.placement().forEach(share -> parts.add(partOf.get(share.node())));
        return parts.size() == 1 ? parts.iterator().next() : null;
    }

    private RoundProblem part(int part) {
        return new RoundProblem(
                        problem.format(),
                        problem.now(),
                        settings(part),
                        problem.acceleratorTypes(),
                        problem.pools(),
                        nodes(part),
                        reservations(part),
                        quotas.of(part),
                        PopGroups.of(problem, jobs, part),
                        jobs.get(part),
                        problem.memory())
                .withMaintenance(maintenance(part))
                .withPastUsage(problem.pastUsage());
    }

    private RoundSettings settings(int part) {
        RoundSettings all = problem.settings();
        SolveBudget budget = all.budget();
        int sideBySide = Math.min(count, Runtime.getRuntime().availableProcessors());
        SolveBudget own = new SolveBudget(
                budget.work() / count, budget.wallSeconds() * sideBySide / count, budget.workers(), budget.seed());
        return all.withEffort(all.gapTarget(), own).withMaxRestarts(share(all.maxRestarts(), part));
    }

    private List<Node> nodes(int part) {
        JobPins pins = JobPins.of(problem);
        Map<String, Long> taken = new HashMap<>();
        Set<String> mentioned = new HashSet<>();
        for (Job job : jobs.get(part)) {
            if (job.allocation() != null) {
                job.allocation().aggregation().forEach(share -> {
                    mentioned.add(share.node());
                    taken.merge(share.node(), pins.isPinned(job) ? share.thousandths() : 0, Long::sum);
                });
            }
        }
        Map<String, Long> pinned = pinnedAggregation();
        List<Node> nodes = new ArrayList<>();
        for (Node node : problem.nodes()) {
            boolean own = Objects.equals(partOf.get(node.id()), part);
            long ownShare = taken.getOrDefault(node.id(), 0L);
            if (own) {
                nodes.add(withoutAggregation(node, pinned.getOrDefault(node.id(), 0L) - ownShare));
            } else if (mentioned.contains(node.id())) {
                nodes.add(onlyAggregation(node, ownShare));
            }
        }
        return nodes;
    }

    private Map<String, Long> pinnedAggregation() {
        JobPins pins = JobPins.of(problem);
        Map<String, Long> taken = new HashMap<>();
        problem.jobs().stream()
                .filter(pins::isPinned)
                .map(job -> Objects.requireNonNull(job.allocation()))
                .forEach(heldAllocation -> heldAllocation
                        .aggregation()
                        .forEach(share -> taken.merge(share.node(), share.thousandths(), Long::sum)));
        return taken;
    }

    /** Returns the node of a part without the aggregators of jobs that are pinned in other parts. */
    private static Node withoutAggregation(Node node, long thousandths) {
        double cpus = Math.max(0, node.cpus() - thousandths / 1000.0);
        double aggregation = Math.max(0, Math.round(node.aggregationSlots() * 1000) - thousandths) / 1000.0;
        return node.withHost(cpus, node.memoryGiB(), Math.min(cpus, aggregation));
    }

    /** Returns a node of another part with the aggregators that are pinned there. */
    private static Node onlyAggregation(Node node, long thousandths) {
        return node.withDevices(List.of()).withHost(thousandths / 1000.0, node.memoryGiB(), thousandths / 1000.0);
    }

    private List<Reservation> reservations(int part) {
        Set<String> ids = new HashSet<>();
        nodes(part).forEach(node -> ids.add(node.id()));
        return problem.reservations().stream().map(all -> all.within(ids)).toList();
    }

    private List<MaintenanceWindow> maintenance(int part) {
        Set<String> ids = new HashSet<>();
        nodes(part).forEach(node -> ids.add(node.id()));
        return problem.maintenance().stream()
                .map(all -> new MaintenanceWindow(
                        all.name(),
                        all.nodes().stream().filter(ids::contains).toList(),
                        all.start(),
                        all.end(),
                        all.leadSeconds()))
                .toList();
    }

    private @Nullable Integer share(@Nullable Integer whole, int part) {
        return whole == null ? null : Integer.valueOf(whole / count + (part < whole % count ? 1 : 0));
    }
}
