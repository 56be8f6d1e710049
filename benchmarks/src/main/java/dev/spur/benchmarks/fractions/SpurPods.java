package dev.spur.benchmarks.fractions;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Pool;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.objective.Objective;
import dev.spur.model.objective.ObjectiveKind;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.PlannedJob;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.tenant.Tenant;
import dev.spur.model.validation.PlanCheck;
import dev.spur.model.validation.Violation;
import dev.spur.solver.policy.Policies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Spur's policy: a round for each batch. Pods with GPUs are jobs of a fixed size on one node. Running ones are not
 * preemptible, so that they keep their GPUs.
 *
 * <p>The work of each job takes one planning horizon, and its weight is the number of its GPUs. Under
 * {@link ObjectiveKind#PROGRESS}, the objective is thus the number of allocated GPUs. No job ends, because each round
 * plans with the whole work.
 *
 * <p>Pods without GPUs are no jobs of Spur. {@code others} binds those of a batch before the round, and the nodes of
 * the round lack their CPUs and memory.
 */
final class SpurPods implements PodPlacement {
    private static final double ROUND_SECONDS = 60;

    private final List<Node> nodes;
    private final RoundSettings settings;
    private final PodPlacement others;
    private final Map<String, Integer> nodeIndexes = new HashMap<>();
    private final Map<PodRequest, JobSpec> specs = new HashMap<>();
    private final List<Job> running = new ArrayList<>();
    /** By node: CPUs and GiB of the pods without GPUs. */
    private final double[][] hostOfOthers;

    private RoundMemory memory = RoundMemory.EMPTY;
    private int round;

    SpurPods(List<Node> nodes, RoundSettings settings, PodPlacement others) {
        this.nodes = nodes;
        this.settings = settings.withObjective(Objective.of(ObjectiveKind.PROGRESS));
        this.others = others;
        hostOfOthers = new double[nodes.size()][2];
        for (int v = 0; v < nodes.size(); v++) {
            nodeIndexes.put(nodes.get(v).id(), v);
        }
    }

    @Override
    public List<Optional<Binding>> place(List<PodRequest> pods, List<FreeNode> free) {
        List<Optional<Binding>> bindings = new ArrayList<>();
        Map<String, Integer> offered = new HashMap<>();
        List<Job> jobs = new ArrayList<>(running);
        for (int i = 0; i < pods.size(); i++) {
            PodRequest pod = pods.get(i);
            bindings.add(pod.slots() == 0 ? bindOther(pod, free) : Optional.empty());
            if (pod.slots() > 0) {
                Job job = job("r%d-%d".formatted(round, i), pod);
                offered.put(job.id(), i);
                jobs.add(job);
            }
        }
        for (PlannedJob planned : plan(jobs).running()) {
            Integer i = offered.get(planned.jobId());
            if (i != null) {
                Binding binding = binding(planned.allocation());
                free.get(binding.node()).take(pods.get(i), binding.gpus());
                bindings.set(i, Optional.of(binding));
                running.add(job(planned.jobId(), pods.get(i)).withAllocation(planned.allocation()));
            }
        }
        round++;
        return bindings;
    }

    private Optional<Binding> bindOther(PodRequest pod, List<FreeNode> free) {
        Optional<Binding> binding = others.place(List.of(pod), free).get(0);
        binding.ifPresent(own -> {
            hostOfOthers[own.node()][0] += pod.cpus();
            hostOfOthers[own.node()][1] += pod.memoryGiB();
        });
        return binding;
    }

    private RoundPlan plan(List<Job> jobs) {
        List<Node> left = new ArrayList<>();
        for (int v = 0; v < nodes.size(); v++) {
            Node node = nodes.get(v);
            left.add(node.withHost(
                    node.cpus() - hostOfOthers[v][0], node.memoryGiB() - hostOfOthers[v][1], node.aggregationSlots()));
        }
        RoundProblem problem = new RoundProblem(
                RoundProblem.FORMAT,
                round * ROUND_SECONDS,
                settings,
                nodes.stream()
                        .map(Node::acceleratorType)
                        .distinct()
                        .map(type -> new AcceleratorType(type, 16))
                        .toList(),
                List.of(new Pool(nodes.get(0).pool(), false)),
                left,
                List.of(),
                List.of(new Tenant("root", null, 1, Map.of())),
                List.of(),
                jobs,
                memory);
        RoundPlan plan = Policies.spur().plan(problem);
        List<Violation> violations = PlanCheck.violations(problem, plan);
        if (!violations.isEmpty()) {
            throw new IllegalStateException("The plan validator rejects the plan: " + violations);
        }
        memory = plan.memory();
        return plan;
    }

    private Binding binding(Allocation allocation) {
        NodeShare share = allocation.placement().get(0);
        int node = Objects.requireNonNull(nodeIndexes.get(share.node()));
        List<String> devices = nodes.get(node).devices();
        return new Binding(node, share.devices().stream().map(devices::indexOf).toList());
    }

    private Job job(String id, PodRequest pod) {
        double now = round * ROUND_SECONDS;
        JobSpec spec = specs.computeIfAbsent(pod, this::spec);
        return new Job(
                id,
                "root",
                now,
                spec,
                spec.totalSamples(),
                null,
                DeadlineStatus.NONE,
                ServiceHistory.ofArrival(now),
                null);
    }

    private JobSpec spec(PodRequest pod) {
        int slots = pod.slots();
        List<ProfilePoint> points = nodes.stream()
                .map(Node::acceleratorType)
                .distinct()
                .filter(pod::allowsType)
                .map(type -> ProfilePoint.allReduce(type, slots, 1, slots, slots))
                .toList();
        return new JobSpec(
                new Work(WorkUnit.SAMPLES, slots * settings.horizon().seconds(0), null),
                new Elasticity(pod.types(), List.of(), slots, slots, false, List.of(), 1, false)
                        .withDeviceShare(pod.isShare() ? (double) pod.partsPerSlot() / Elasticity.PARTS : null),
                BatchLimits.ofBatch(slots),
                Synchronization.allReduceOnly(),
                StatisticalEfficiency.UNKNOWN,
                new ThroughputProfile(points, List.of()),
                new HostDemand(pod.cpus() / slots, pod.memoryGiB() / slots),
                0,
                0,
                false,
                (double) pod.parts() / Elasticity.PARTS,
                0,
                null,
                null);
    }
}
