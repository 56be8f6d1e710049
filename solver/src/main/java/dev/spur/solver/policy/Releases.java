package dev.spur.solver.policy;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.utility.Goodput;
import dev.spur.solver.candidate.Candidate;
import dev.spur.solver.candidate.CandidateSet;
import dev.spur.solver.placement.ResidualCapacity;
import dev.spur.solver.placement.ResidualCluster;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Times at which running jobs release the slots of their nodes: by their expected ends, or by a stop as soon as they
 * may be stopped.
 */
final class Releases {
    /** Slots that a running job holds on a node. */
    private record Held(int slots, double end, double stop, double stopCost) {
        /** Returns the release of a device that another job shares. */
        Held and(Held other) {
            return new Held(slots, Math.max(end, other.end), Math.max(stop, other.stop), stopCost + other.stopCost);
        }
    }

    /** Device of a node that jobs share. */
    private record Device(int node, String name) {}

    /**
     * Nodes for a candidate.
     *
     * @param nodes ids of the nodes, one for each share
     * @param time time at which all of them have enough free slots
     * @param cost slot-seconds lost: idle slots until then, or stalls and unsaved work of stopped jobs
     */
    record Release(Set<String> nodes, double time, double cost) {}

    private record NodeRelease(int node, double time, double cost) {}

    /** Share of reserved slots that stay idle: other jobs that end in time use the rest. */
    private static final double IDLE_SHARE = 0.5;

    private final CandidateSet candidates;
    private final double now;
    private final ResidualCluster emptyCluster;
    private final ResidualCluster freeCluster;
    private final List<List<Held>> heldOn = new ArrayList<>();
    private final Map<Device, Held> shared = new LinkedHashMap<>();

    Releases(CandidateSet candidates) {
        this.candidates = candidates;
        this.now = candidates.problem().now();
        ResidualCapacity residual = new ResidualCapacity(candidates);
        this.emptyCluster = new ResidualCluster(candidates.clusterIndex());
        candidates.clusterIndex().nodes().forEach(node -> heldOn.add(new ArrayList<>()));
        for (int j = 0; j < candidates.jobs(); j++) {
            Allocation heldAllocation = candidates.job(j).allocation();
            if (heldAllocation != null) {
                residual.occupy(j, heldAllocation);
                add(j, heldAllocation);
            }
        }
        shared.forEach((device, held) -> heldOn.get(device.node()).add(held));
        this.freeCluster = residual.cluster();
    }

    private void add(int j, Allocation heldAllocation) {
        Job job = candidates.job(j);
        double goodput = Goodput.of(job.spec(), heldAllocation.configuration());
        double end = now + job.secondsToRelease(goodput, job.restartSecondsLeft(now), now);
        double stop = stopTime(job, heldAllocation, end);
        double lost = 2 * job.spec().restartPenaltySeconds() + job.history().unsavedSeconds();
        for (NodeShare share : heldAllocation.placement()) {
            int v = candidates.clusterIndex().indexOf(share.node());
            Held held = new Held(
                    share.slots(),
                    end,
                    stop,
                    lost * heldAllocation.configuration().slots());
            if (job.spec().elasticity().deviceShare() == null) {
                heldOn.get(v).add(held);
            } else {
                shared.merge(new Device(v, share.devices().get(0)), held, Held::and);
            }
        }
    }

    private double stopTime(Job job, Allocation heldAllocation, double end) {
        if (!job.spec().preemptible()) {
            return Double.POSITIVE_INFINITY;
        }
        if (job.deadlineStatus() == DeadlineStatus.GUARANTEED) {
            return end;
        }
        double stop = Math.max(
                heldAllocation.since() + job.spec().protectionSeconds(),
                candidates.limits().stintEnd(job, heldAllocation));
        return Math.min(end, Math.max(now, stop));
    }

    /** Returns the release for {@code candidate} if no job is stopped; null if its nodes are never free. */
    @Nullable
    Release byEnds(Candidate candidate) {
        return earliest(candidate, (v, piece) -> byEnds(v, piece));
    }

    /** Returns the release for {@code candidate} if jobs are stopped; null if some cannot be stopped. */
    @Nullable
    Release byStops(Candidate candidate) {
        return earliest(candidate, (v, piece) -> byStops(v, piece));
    }

    private interface Search {
        NodeRelease on(int v, int piece);
    }

    /** Returns the release on the nodes with the earliest times, at a tie the lowest costs. */
    private @Nullable Release earliest(Candidate candidate, Search search) {
        List<Integer> nodes =
                candidates.clusterIndex().classes().get(candidate.nodeClass()).nodes();
        Set<Integer> taken = new HashSet<>();
        double time = now;
        double cost = 0;
        for (int piece : candidate.configuration().shape()) {
            NodeRelease best = nodes.stream()
                    .filter(v -> candidate.access().contains(v)
                            && !taken.contains(v)
                            && emptyCluster.holds(v, piece, candidates.host(candidate)))
                    .map(v -> search.on(v, piece))
                    .filter(found -> Double.isFinite(found.time()))
                    .min(Comparator.comparingDouble(NodeRelease::time).thenComparingDouble(NodeRelease::cost))
                    .orElse(null);
            if (best == null) {
                return null;
            }
            taken.add(best.node());
            time = Math.max(time, best.time());
            cost += best.cost();
        }
        Set<String> ids = taken.stream()
                .map(v -> candidates.clusterIndex().nodes().get(v).id())
                .collect(Collectors.toSet());
        return new Release(ids, time, cost);
    }

    private NodeRelease byEnds(int v, int piece) {
        int slots = freeCluster.slots(v);
        double time = now;
        double idle = 0;
        int missing = piece - slots;
        List<Held> held = heldOn.get(v).stream()
                .sorted(Comparator.comparingDouble(Held::end))
                .toList();
        List<double[]> parts = new ArrayList<>();
        parts.add(new double[] {Math.min(piece, slots), now});
        for (Held other : held) {
            if (missing <= 0) {
                break;
            }
            time = other.end();
            parts.add(new double[] {Math.min(missing, other.slots()), time});
            missing -= other.slots();
        }
        for (double[] part : parts) {
            idle += part[0] * (time - part[1]);
        }
        return new NodeRelease(v, missing > 0 ? Double.POSITIVE_INFINITY : time, IDLE_SHARE * idle);
    }

    private NodeRelease byStops(int v, int piece) {
        double time = now;
        double cost = 0;
        int missing = piece - freeCluster.slots(v);
        for (Held other : heldOn.get(v).stream()
                .sorted(Comparator.comparingDouble(Held::stop)
                        .thenComparingDouble(held -> held.stopCost() / held.slots()))
                .toList()) {
            if (missing <= 0) {
                break;
            }
            time = Math.max(time, other.stop());
            cost += other.stop() >= other.end() ? 0 : other.stopCost();
            missing -= other.slots();
        }
        return new NodeRelease(v, missing > 0 ? Double.POSITIVE_INFINITY : time, cost);
    }
}
