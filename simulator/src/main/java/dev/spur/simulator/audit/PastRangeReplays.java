package dev.spur.simulator.audit;

import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.history.CapacityChange;
import dev.spur.model.history.PastJob;
import dev.spur.model.history.PastRange;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.utility.ReferenceGoodputs;
import dev.spur.simulator.replay.ClusterConfig;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.trace.PolicyView;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Replays of an exported time range, from its jobs, its capacities and the state of the cluster. */
public final class PastRangeReplays {
    private final PastRange range;
    private final List<Node> nodes;
    private final ReferenceGoodputs goodputs;
    private final Set<String> groups;

    private PastRangeReplays(PastRange range) {
        this.range = range;
        this.nodes = range.state().nodes().stream()
                .filter(node -> node.state() == NodeState.ACTIVE)
                .toList();
        this.goodputs = new ReferenceGoodputs(nodes);
        this.groups = range.state().groups().stream().map(group -> group.name()).collect(Collectors.toSet());
    }

    /**
     * Returns the input of the self-audit of a range. Jobs without work in the range, and jobs without stated or
     * measured speeds, are left out.
     *
     * @param roundSeconds time between two rounds, seconds
     */
    public static AuditInput of(PastRange range, double roundSeconds) {
        return new PastRangeReplays(range).input(roundSeconds);
    }

    private AuditInput input(double roundSeconds) {
        List<TraceJob> seen = new ArrayList<>();
        List<TraceJob> oracle = new ArrayList<>();
        Set<String> counted = new HashSet<>();
        for (PastJob job : range.jobs()) {
            JobSpec truth = spec(Objects.requireNonNullElse(job.measured(), job.stated()), job.work());
            if (job.work() <= 0 || truth.profile().points().isEmpty()) {
                continue;
            }
            JobSpec after = spec(Objects.requireNonNullElse(job.assumed(), job.stated()), job.work());
            JobSpec before = job.stated().profile().points().isEmpty() ? after : spec(job.stated(), job.work());
            seen.add(job(job, truth, new LearnedView(before, after)));
            oracle.add(job(job, truth, PolicyViewModel.complete(truth)));
            if (!job.submittedAt().isBefore(range.since()) && !isAborted(job)) {
                counted.add(job.id());
            }
        }
        return new AuditInput(
                new Trace("self-audit", seen, Map.of()),
                new Trace("self-audit", oracle, Map.of()),
                counted,
                cluster(),
                ReplaySettings.DEFAULT
                        .withServicePlanning(range.state().settings())
                        .withRounds(roundSeconds, null)
                        .withCheckEvery(10));
    }

    /** Returns true if the job ended without completing its work. */
    private static boolean isAborted(PastJob job) {
        return job.state().equals("FAILED") || job.state().equals("CANCELLED");
    }

    private JobSpec spec(JobSpec spec, double work) {
        return spec.edit()
                .work(new Work(WorkUnit.SAMPLES, Math.max(1e-9, work), null))
                .group(spec.group() != null && groups.contains(spec.group()) ? spec.group() : null)
                .build();
    }

    private TraceJob job(PastJob job, JobSpec truth, PolicyViewModel view) {
        double fastest = goodputs.fastest(truth);
        double arrival = Math.max(0, secondsInRange(job.submittedAt()));
        Double deadline = job.deadline() == null ? null : Double.valueOf(secondsInRange(job.deadline()));
        return new TraceJob(
                job.id(),
                arrival,
                job.tenant(),
                deadline == null || deadline <= arrival ? null : deadline,
                truth.elasticity().minCount().orElse(1),
                fastest == 0 ? 1 : Math.max(1e-9, job.work() / fastest),
                new SpecGroundTruth(truth, truth.restartPenaltySeconds(), truth.restartPenaltySeconds()),
                view);
    }

    /** Seconds from the start of the range to {@code time}; negative before it. */
    private double secondsInRange(Instant time) {
        return Duration.between(range.since(), time).toNanos() / 1e9;
    }

    private ClusterConfig cluster() {
        return ClusterConfig.of(
                range.state().withNodes(nodes).withoutReservations().withMaintenance(closures()));
    }

    /**
     * Returns windows that close as many nodes as the cluster had fewer available slots of a type than now. The records
     * name no nodes, so the last nodes by id are closed. Nodes that have left the cluster since are not replayed.
     */
    private List<MaintenanceWindow> closures() {
        Map<String, List<CapacityChange>> byType = new TreeMap<>(
                range.capacities().stream().collect(Collectors.groupingBy(CapacityChange::acceleratorType)));
        List<MaintenanceWindow> windows = new ArrayList<>();
        byType.forEach((type, changes) -> {
            for (int i = 0; i < changes.size(); i++) {
                CapacityChange change = changes.get(i);
                double begin = Math.max(0, secondsInRange(change.at()));
                double end = secondsInRange(
                        i + 1 < changes.size() ? changes.get(i + 1).at() : range.until());
                List<String> closed = excessNodes(type, change.slots() - change.unavailable());
                if (!closed.isEmpty() && begin < end) {
                    windows.add(new MaintenanceWindow("%s %d".formatted(type, i), closed, begin, end, 0));
                }
            }
        });
        return windows;
    }

    /** Returns the last nodes of a type by id, without which at most {@code slots} slots are left. */
    private List<String> excessNodes(String type, int slots) {
        List<String> closed = new ArrayList<>();
        int left = slots;
        for (Node node : nodes.stream()
                .sorted((a, b) -> a.id().compareTo(b.id()))
                .filter(node -> type.equals(node.acceleratorType()))
                .toList()) {
            if (node.slots() <= left) {
                left -= node.slots();
            } else {
                left = 0;
                closed.add(node.id());
            }
        }
        return closed;
    }

    /**
     * View of a past job: the specification before its first run, then the one after the measurements of its runs.
     *
     * @param before specification before the first run
     * @param after specification with measurements
     */
    record LearnedView(JobSpec before, JobSpec after) implements PolicyViewModel {
        @Override
        public PolicyView after(RunHistory experience) {
            JobSpec spec = experience.pastConfigurations().isEmpty() ? before : after;
            return new PolicyView(spec, Math.max(0, spec.totalSamples() - experience.doneSamples()));
        }
    }
}
