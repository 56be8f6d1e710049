package dev.spur.service.simulation;

import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.round.SolveBudget;
import dev.spur.model.utility.ReferenceGoodputs;
import dev.spur.service.database.Rows;
import dev.spur.service.outcome.CapacityStore.Capacity;
import dev.spur.service.simulation.SelfAuditHistory.PastJob;
import dev.spur.simulator.audit.AuditInput;
import dev.spur.simulator.replay.ClusterConfig;
import dev.spur.simulator.replay.ReplaySettings;
import dev.spur.simulator.trace.PolicyView;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.RunHistory;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.simulator.trace.Trace;
import dev.spur.simulator.trace.TraceJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builds the replays of a past time range from the recorded jobs, capacities and the current state of the cluster. */
final class SelfAuditInput {
    /** Maximum work budget of a decision, as in other simulations. */
    private static final double MAX_WORK = 5;

    private final double since;
    private final double until;
    private final RoundProblem state;
    private final List<Node> nodes;
    private final ReferenceGoodputs goodputs;
    private final Set<String> groups;

    SelfAuditInput(Instant since, Instant until, RoundProblem state) {
        this.since = Rows.seconds(since);
        this.until = Rows.seconds(until);
        this.state = state;
        this.nodes = state.nodes().stream()
                .filter(node -> node.state() == NodeState.ACTIVE)
                .toList();
        this.goodputs = new ReferenceGoodputs(nodes);
        this.groups = state.groups().stream().map(group -> group.name()).collect(Collectors.toSet());
    }

    /**
     * Returns the input.
     *
     * @param jobs jobs that were active in the range
     * @param capacities changes of the number of slots in the range
     * @param roundSeconds time between two rounds
     */
    AuditInput of(List<PastJob> jobs, List<Capacity> capacities, double roundSeconds) {
        List<TraceJob> seen = new ArrayList<>();
        List<TraceJob> oracle = new ArrayList<>();
        Set<String> counted = new HashSet<>();
        for (PastJob job : jobs) {
            JobSpec truth = spec(job.measured(), job.work());
            if (job.work() <= 0 || truth.profile().points().isEmpty()) {
                continue;
            }
            JobSpec after = spec(job.assumed(), job.work());
            JobSpec before = job.stated().profile().points().isEmpty() ? after : spec(job.stated(), job.work());
            seen.add(job(job, truth, new LearnedView(before, after)));
            oracle.add(job(job, truth, PolicyViewModel.complete(truth)));
            if (job.submittedAt() >= since && !job.isAborted()) {
                counted.add(job.id());
            }
        }
        return new AuditInput(
                new Trace("self-audit", seen, Map.of()),
                new Trace("self-audit", oracle, Map.of()),
                counted,
                cluster(capacities),
                settings(roundSeconds));
    }

    private JobSpec spec(JobSpec spec, double work) {
        return spec.edit()
                .work(new Work(WorkUnit.SAMPLES, Math.max(1e-9, work), null))
                .group(spec.group() != null && groups.contains(spec.group()) ? spec.group() : null)
                .build();
    }

    private TraceJob job(PastJob job, JobSpec truth, PolicyViewModel view) {
        double fastest = goodputs.fastest(truth);
        Double deadline = job.deadline();
        return new TraceJob(
                job.id(),
                Math.max(0, job.submittedAt() - since),
                job.tenant(),
                deadline == null || deadline <= Math.max(since, job.submittedAt())
                        ? null
                        : Double.valueOf(deadline - since),
                truth.elasticity().minCount().orElse(1),
                fastest == 0 ? 1 : Math.max(1e-9, job.work() / fastest),
                new SpecGroundTruth(truth, truth.restartPenaltySeconds(), truth.restartPenaltySeconds()),
                view);
    }

    private ClusterConfig cluster(List<Capacity> capacities) {
        return ClusterConfig.of(state.withNodes(nodes).withoutReservations().withMaintenance(closures(capacities)));
    }

    /**
     * Returns windows that close as many nodes as the cluster had fewer available slots of a type than now. The records
     * name no nodes, so the last nodes by id are closed. Nodes that have left the cluster since are not replayed.
     */
    List<MaintenanceWindow> closures(List<Capacity> capacities) {
        Map<String, List<Capacity>> byType =
                new TreeMap<>(capacities.stream().collect(Collectors.groupingBy(Capacity::acceleratorType)));
        List<MaintenanceWindow> windows = new ArrayList<>();
        byType.forEach((type, changes) -> {
            for (int i = 0; i < changes.size(); i++) {
                double begin = Math.max(0, Rows.seconds(changes.get(i).at()) - since);
                double end = (i + 1 < changes.size()
                                ? Rows.seconds(changes.get(i + 1).at())
                                : until)
                        - since;
                List<String> closed = excessNodes(
                        type, changes.get(i).slots() - changes.get(i).unavailable());
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

    private ReplaySettings settings(double roundSeconds) {
        RoundSettings planning = state.settings();
        SolveBudget budget =
                new SolveBudget(Math.min(MAX_WORK, planning.budget().work()), 300, 1, 1);
        return ReplaySettings.DEFAULT
                .withPlanning(planning.withEffort(planning.gapTarget(), budget))
                .withRounds(roundSeconds, null)
                .withCheckEvery(10);
    }

    /** Returns the mean completion time of jobs in {@code jct}, as observed; null for none. */
    static @Nullable Double mean(List<Double> jct) {
        return jct.isEmpty()
                ? null
                : Double.valueOf(jct.stream().mapToDouble(Double::doubleValue).sum() / jct.size());
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
            JobSpec spec = experience.ran().isEmpty() ? before : after;
            return new PolicyView(spec, Math.max(0, spec.totalSamples() - experience.doneSamples()));
        }
    }
}
