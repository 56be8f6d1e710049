package dev.spur.benchmarks.reality;

import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.simulator.trace.EstimatedWork;
import dev.spur.simulator.trace.PolicyViewModel;
import dev.spur.simulator.trace.SpecGroundTruth;
import dev.spur.simulator.trace.TraceJob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Factory of the jobs of one scenario. Their batch size is fixed, and 1 to 16 slots share it equally. A job of k slots
 * on one node trains k^a times as fast as on one slot. An elastic job is slower by a tenth on several nodes. A rigid
 * job has the same speed on each number of nodes, as recorded jobs have. Jobs of the same shape share their profile.
 */
final class ScenarioJobs {
    /** A multiple of each number up to 16. */
    private static final int BATCH = 720_720;

    private static final double SAMPLES_PER_SECOND = BATCH / 10.0;
    private static final double SLOWDOWN_ON_SEVERAL_NODES = 0.9;
    /** Maximum slots of an elastic job, as a multiple of the requested ones. */
    private static final int RANGE = 4;

    static final int MAX_ELASTIC_SLOTS = 16;

    /**
     * Shape of a job.
     *
     * @param minSlots requested slots
     * @param maxSlots maximum slots
     * @param exponent exponent of the speed
     */
    private record Shape(int minSlots, int maxSlots, double exponent) {}

    private final int nodes;
    private final double restartSeconds;
    private final Map<Shape, ThroughputProfile> profiles = new HashMap<>();

    /**
     * Creates a factory.
     *
     * @param nodes number of nodes of the cluster
     * @param restartSeconds stall of each start
     */
    ScenarioJobs(int nodes, double restartSeconds) {
        this.nodes = nodes;
        this.restartSeconds = restartSeconds;
    }

    /**
     * Work and arrival of a job.
     *
     * @param id unique id
     * @param arrival seconds since the start of the trace
     * @param tenant name of its tenant
     * @param slots requested slots
     * @param seconds run time on the requested slots
     * @param estimate work that policies assume divided by the true work; 1 if they know it
     */
    record Request(String id, double arrival, String tenant, int slots, double seconds, double estimate) {}

    TraceJob rigid(Request request) {
        return job(request, new Shape(request.slots, request.slots, 1));
    }

    /**
     * Creates a job that runs on the requested slots to four times as many, at most 16.
     *
     * @param exponent exponent of the speed, from 0 to 1
     */
    TraceJob elastic(Request request, double exponent) {
        int max = Math.max(request.slots, Math.min(RANGE * request.slots, MAX_ELASTIC_SLOTS));
        return job(request, new Shape(request.slots, max, exponent));
    }

    private TraceJob job(Request request, Shape shape) {
        double samples = speed(shape, request.slots, 1) * request.seconds;
        JobSpec spec = new JobSpec(
                new Work(WorkUnit.SAMPLES, samples, null),
                Elasticity.between(shape.minSlots, shape.maxSlots),
                BatchLimits.ofBatch(BATCH),
                Synchronization.allReduceOnly(),
                StatisticalEfficiency.UNKNOWN,
                profiles.computeIfAbsent(shape, this::profile),
                HostDemand.NONE,
                restartSeconds,
                0,
                true,
                1,
                0,
                null,
                null);
        return new TraceJob(
                request.id,
                request.arrival,
                request.tenant,
                null,
                request.slots,
                request.seconds,
                new SpecGroundTruth(spec, restartSeconds, restartSeconds),
                request.estimate == 1
                        ? PolicyViewModel.complete(spec)
                        : EstimatedWork.of(spec, request.estimate));
    }

    private ThroughputProfile profile(Shape shape) {
        List<ProfilePoint> points = new ArrayList<>();
        for (int slots = shape.minSlots; slots <= shape.maxSlots; slots++) {
            int minNodes = (slots + Hardware.LARGEST_NODE - 1) / Hardware.LARGEST_NODE;
            for (int spread = minNodes; spread <= Math.min(slots, nodes); spread++) {
                points.add(ProfilePoint.allReduce(Hardware.TYPE, slots, spread, BATCH, speed(shape, slots, spread)));
            }
        }
        return new ThroughputProfile(points, List.of());
    }

    private static double speed(Shape shape, int slots, int spread) {
        boolean isSlower = spread > 1 && shape.minSlots < shape.maxSlots;
        return SAMPLES_PER_SECOND * Math.pow(slots, shape.exponent) * (isSlower ? SLOWDOWN_ON_SEVERAL_NODES : 1);
    }
}
