package dev.spur.model;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.NodeState;
import dev.spur.model.cluster.Pool;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobKind;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Promise;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.round.RoundSettings;
import dev.spur.model.tenant.Tenant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Hand-made parts of problems for tests. Time starts at 0. */
public final class Problems {
    private Problems() {}

    /** An active node in pool {@code main} with {@code slots} devices of type {@code A100}. */
    public static Node node(String id, int slots) {
        List<String> devices = IntStream.range(0, slots).mapToObj(d -> "d" + d).toList();
        return new Node(id, "main", null, "A100", devices, 64, 512, 8, 1, NodeState.ACTIVE);
    }

    /** A training job of tenant {@code root} that scales linearly at 100 samples/s per slot, with 10,000 s of work on one slot. */
    public static Job job(String id, int minSlots, int maxSlots) {
        return new Job(
                id, "root", 0, spec(minSlots, maxSlots), 1e6, null, Promise.NONE, ServiceHistory.arrived(0), null);
    }

    /** What {@link #job} asks for. */
    public static JobSpec spec(int minSlots, int maxSlots) {
        ProfilePoint[] points = IntStream.of(1, 64)
                .mapToObj(k -> ProfilePoint.allReduce("A100", k, Math.max(1, k / 8), 64, 100.0 * k))
                .toArray(ProfilePoint[]::new);
        return new JobSpec(
                JobKind.TRAINING,
                new Work(WorkUnit.SAMPLES, 1e6, null),
                Elasticity.between(minSlots, maxSlots),
                new BatchLimits(64, 64, 64, 64, Map.of(), true),
                Synchronization.allReduceOnly(),
                StatisticalEfficiency.UNKNOWN,
                ThroughputProfile.of(points),
                HostDemand.NONE,
                30,
                0,
                true,
                1,
                0);
    }

    /** A problem at time 1,000 with default settings and the one tenant {@code root} without quotas. */
    public static RoundProblem problem(List<Node> nodes, List<Job> jobs) {
        return new RoundProblem(
                RoundProblem.FORMAT,
                1000,
                RoundSettings.DEFAULT,
                List.of(new AcceleratorType("A100", 40)),
                List.of(new Pool("main", false)),
                nodes,
                List.of(),
                List.of(new Tenant("root", null, 1, Map.of())),
                jobs,
                RoundMemory.EMPTY);
    }
}
