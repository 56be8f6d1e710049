package dev.spur.solver.candidate;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.cluster.Node;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.utility.Goodput;
import dev.spur.model.utility.Utility;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** All configurations that the documentation of candidates promises, dominated ones included, each found by trying. */
final class AllConfigurations {
    private final RoundProblem problem;
    private final ClusterIndex hardware;
    private final Utility worth;

    private AllConfigurations(RoundProblem problem) {
        this.problem = problem;
        this.hardware = new ClusterIndex(problem);
        this.worth = new Utility(problem);
    }

    /** The candidates of {@code problem}, with what {@code generated} says of those that are kept. */
    static CandidateSet of(RoundProblem problem, CandidateSet generated) {
        AllConfigurations all = new AllConfigurations(problem);
        List<JobCandidates> byJob = new ArrayList<>();
        for (int j = 0; j < problem.jobs().size(); j++) {
            JobCandidates own = generated.of(j);
            List<Candidate> fresh = own.pinned() ? List.of() : all.fresh(j);
            byJob.add(new JobCandidates(j, fresh, own.retained(), own.pinned(), own.unfit()));
        }
        return new CandidateSet(problem, all.hardware, all.worth, byJob);
    }

    private List<Candidate> fresh(int j) {
        Job job = problem.jobs().get(j);
        List<Candidate> fresh = new ArrayList<>();
        for (NodeClass nodeClass : hardware.classes()) {
            boolean open = job.spec().elasticity().allowsType(nodeClass.acceleratorType())
                    && job.spec().elasticity().allowsPool(nodeClass.pool())
                    && hardware.isOpen(nodeClass, job);
            for (SyncStrategy strategy : SyncStrategy.values()) {
                for (List<Integer> shape : open ? shapes(job.spec(), nodeClass, strategy) : List.<List<Integer>>of()) {
                    addAll(fresh, j, job, nodeClass, strategy, shape);
                }
            }
        }
        return fresh;
    }

    private Set<List<Integer>> shapes(JobSpec spec, NodeClass nodeClass, SyncStrategy strategy) {
        Set<List<Integer>> shapes = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
        boolean whole = hardware.needsWholeNodes(nodeClass.pool());
        int perNode = nodeClass.slotsPerNode();
        for (int slots = 1; slots <= perNode * nodeClass.nodes().size(); slots++) {
            if (!spec.elasticity().allowsCount(slots)) {
                continue;
            }
            List<Integer> tight = new ArrayList<>(Collections.nCopies(slots / perNode, perNode));
            if (slots % perNode > 0) {
                tight.add(slots % perNode);
            }
            if (!whole || tight.size() == 1 || slots % perNode == 0) {
                shapes.add(tight);
            }
            for (int nodes = tight.size() + 1; !whole && !spec.elasticity().consolidate() && nodes <= slots; nodes++) {
                if (spec.profile()
                        .nodeCounts(nodeClass.acceleratorType(), strategy, slots)
                        .contains(nodes)) {
                    List<Integer> even = new ArrayList<>(Collections.nCopies(nodes, slots / nodes));
                    for (int i = 0; i < slots % nodes; i++) {
                        even.set(i, slots / nodes + 1);
                    }
                    shapes.add(even);
                }
            }
        }
        shapes.removeIf(shape -> shape.size() > nodeClass.nodes().size()
                || !spec.elasticity().allowsNodes(shape.size())
                || shape.get(0) * spec.host().cpusPerSlot() > nodeClass.cpus()
                || shape.get(0) * spec.host().memoryGiBPerSlot() > nodeClass.memoryGiB());
        return shapes;
    }

    private void addAll(
            List<Candidate> found, int j, Job job, NodeClass nodeClass, SyncStrategy strategy, List<Integer> shape) {
        for (double aggregation : aggregations(job.spec(), nodeClass, strategy)) {
            int slots = shape.stream().mapToInt(Integer::intValue).sum();
            String type = nodeClass.acceleratorType();
            Goodput.bestBatch(job.spec(), type, slots, shape.size(), strategy, aggregation)
                    .ifPresent(batch -> {
                        int passes = job.spec().batch().accumulationSteps(batch, type, slots);
                        Configuration configuration =
                                new Configuration(nodeClass.pool(), type, shape, strategy, aggregation, batch, passes);
                        double goodput = Goodput.of(job.spec(), configuration);
                        Candidate best = changes(job, nodeClass, configuration).stream()
                                .map(change -> new Candidate(
                                        j,
                                        configuration,
                                        nodeClass.index(),
                                        goodput,
                                        worth.of(job).of(configuration, goodput, change, nodeClass.price()),
                                        change))
                                .reduce((a, b) -> b.utility() > a.utility() ? b : a)
                                .orElseThrow();
                        if (Double.isFinite(best.utility())) {
                            found.add(best);
                        }
                    });
        }
    }

    /** A restart, and the changes for which the nodes have devices once all jobs but the pinned ones have left. */
    private List<ChangeMechanism> changes(Job job, NodeClass nodeClass, Configuration configuration) {
        List<ChangeMechanism> changes = new ArrayList<>(List.of(ChangeMechanism.RESTART));
        Allocation held = job.allocation();
        if (held == null) {
            return changes;
        }
        List<Integer> others = new ArrayList<>();
        for (int v : nodeClass.nodes()) {
            Set<String> devices = new HashSet<>(problem.nodes().get(v).devices());
            problem.jobs().stream()
                    .filter(other -> other.isPinned(problem.now()))
                    .forEach(other -> devices.removeAll(devicesOf(other.allocation(), v)));
            if (v == hardware.indexOf(held.placement().get(0).node())
                    && job.spec().rescales()
                    && configuration.rescalesTo(held.configuration())
                    && configuration.shape().get(configuration.nodes() - 1) <= devices.size()) {
                changes.add(ChangeMechanism.RESCALE);
            }
            devices.removeAll(devicesOf(held, v));
            others.add(devices.size());
        }
        others.sort(Comparator.reverseOrder());
        List<Integer> shape = configuration.shape();
        if (job.spec().migratesTo(configuration)
                && IntStream.range(0, shape.size()).allMatch(i -> shape.get(i) <= others.get(i))) {
            changes.add(ChangeMechanism.MIGRATE);
        }
        return changes;
    }

    private List<String> devicesOf(Allocation held, int v) {
        return held.placement().stream()
                .filter(share -> hardware.indexOf(share.node()) == v)
                .flatMap(share -> share.devices().stream())
                .toList();
    }

    private Set<Double> aggregations(JobSpec spec, NodeClass nodeClass, SyncStrategy strategy) {
        Set<Double> steps = new TreeSet<>();
        if (strategy == SyncStrategy.ALL_REDUCE) {
            steps.add(0.0);
        } else {
            double offered = 0;
            for (Node node : problem.nodes()) {
                offered += node.pool().equals(nodeClass.pool()) && hardware.offersAggregation(node)
                        ? Math.round(node.aggregationSlots() * 1000) / 1000.0
                        : 0;
            }
            double max = Math.min(spec.synchronization().maxAggregationSlots(), offered);
            steps.add(spec.synchronization().minAggregationSlots());
            steps.add(max);
            for (double step = 1; step <= max; step++) {
                steps.add(step);
            }
            for (double step : spec.profile().aggregationSlots(nodeClass.acceleratorType())) {
                steps.add(step);
            }
            steps.removeIf(step -> step > max);
        }
        steps.removeIf(step -> !spec.synchronization().allows(strategy, step));
        return steps;
    }
}
