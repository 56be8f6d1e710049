package dev.spur.service.executors;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.job.HostDemand;
import dev.spur.model.job.JobRole;
import dev.spur.model.job.Roles;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.service.executors.AssignmentReader.DesiredAssignment;
import dev.spur.service.executors.AssignmentReader.DesiredStateSnapshot;
import dev.spur.service.jobs.AssignmentKey;
import dev.spur.service.jobs.AssignmentState;
import dev.spur.service.jobs.Command;
import dev.spur.service.jobs.StoredAssignment;
import dev.spur.service.jobs.StoredAssignment.DesiredRunState;
import dev.spur.service.jobs.learning.StoredAggregator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An assignment as an executor receives it. Members of all parts as in the contract. */
record AssignmentView(
        @JsonUnwrapped Order order,
        @JsonUnwrapped Place place,
        @JsonUnwrapped Training training,
        @JsonUnwrapped Program program) {
    /** Desired and last reported state of the assignment. */
    record Order(
            String assignmentId,
            String jobId,
            @Nullable String tenant,
            long generation,
            String desired,
            boolean mayStart,
            AssignmentState state,
            long seq,
            List<GangStore.Blocker> waitFor,
            @Nullable DesiredRunState reason,
            boolean warmUp) {
        static Order of(DesiredAssignment desired, List<GangStore.Blocker> blockers) {
            StoredAssignment assignment = desired.assignment();
            boolean shouldRun = assignment.shouldRun();
            return new Order(
                    assignment.key().id(),
                    assignment.key().jobId(),
                    desired.tenant(),
                    assignment.key().generation(),
                    shouldRun ? "RUN" : "STOP",
                    mayStart(desired, blockers),
                    assignment.state(),
                    assignment.seq(),
                    shouldRun ? blockers : List.of(),
                    shouldRun ? null : assignment.desired().runs() ? DesiredRunState.SUPERSEDED : assignment.desired(),
                    shouldRun && assignment.warmsUp());
        }

        private static boolean mayStart(DesiredAssignment desired, List<GangStore.Blocker> blockers) {
            StoredAssignment assignment = desired.assignment();
            return assignment.shouldRun()
                    && switch (assignment.state()) {
                        case OFFERED, ACCEPTED -> desired.othersReady() && blockers.isEmpty();
                        case STARTING, RUNNING -> true;
                        default -> false;
                    };
        }
    }

    /** Batch, synchronization and ranks of the training, and the key of its training code. */
    record Training(
            Batch batch,
            SyncStrategy strategy,
            List<AggregatorLocation> aggregators,
            @Nullable Rescale rescale,
            @Nullable String key) {}

    /** Programs to start, with their resources. */
    record Program(
            Command command,
            Checkpoint checkpoint,
            Host host,
            List<Replicas> roles,
            double graceSeconds,
            boolean followLog) {
        static Program of(DesiredAssignment desired, Allocation allocation) {
            StoredAssignment assignment = desired.assignment();
            Command command = Command.read(Objects.requireNonNull(desired.command()));
            String writeAs = "gen-%08d".formatted(assignment.key().generation());
            return new Program(
                    command,
                    new Checkpoint(command.checkpointDir(), writeAs, assignment.resumeUpTo()),
                    Host.of(desired.host(), assignment.plannedDevices().size()),
                    Replicas.of(desired, allocation),
                    command.graceSeconds(),
                    desired.followed());
        }
    }

    /** Devices and ranks on this node, and the nodes of the gang. */
    record Place(
            String node,
            List<String> devices,
            @Nullable Double deviceShare,
            int rankOffset,
            int worldSize,
            int nodeRank,
            List<String> nodes,
            Master master) {
        static Place of(StoredAssignment assignment, Allocation allocation, Map<String, String> addresses) {
            List<String> nodes =
                    allocation.placement().stream().map(NodeShare::node).toList();
            String master = nodes.get(0);
            return new Place(
                    assignment.key().node(),
                    assignment.plannedDevices(),
                    assignment.deviceShare(),
                    assignment.rankOffset(),
                    allocation.configuration().slots(),
                    assignment.nodeRank(),
                    nodes,
                    new Master(master, addresses.getOrDefault(master, master), assignment.port()));
        }
    }

    /** Rendezvous address of the gang. */
    record Master(String node, String address, int port) {}

    /** Aggregator that sums shards of the job. */
    record AggregatorLocation(String node, int number, String address, int port, List<Integer> shards) {}

    /** Host resources of the job on this node; 0 where it requests none. */
    record Host(double cpus, double memoryGiB) {
        static Host of(@Nullable HostDemand demand, int devices) {
            return demand == null
                    ? new Host(0, 0)
                    : new Host(demand.cpusPerSlot() * devices, demand.memoryGiBPerSlot() * devices);
        }
    }

    /** Replicas of a role that run on this node. Members as in the contract. */
    record Replicas(String name, int count, List<Integer> indices, double cpus, double memoryGiB) {
        static List<Replicas> of(DesiredAssignment desired, Allocation allocation) {
            Roles roles = desired.roles();
            List<NodeShare> placement = allocation.placement();
            String node = desired.assignment().key().node();
            List<Replicas> own = new ArrayList<>();
            for (int v = 0; v < placement.size() && roles != null; v++) {
                if (placement.get(v).node().equals(node)) {
                    List<List<Integer>> indices = roles.replicasOn(
                            v, placement.stream().map(NodeShare::slots).toList());
                    for (int i = 0; i < indices.size(); i++) {
                        JobRole role = roles.list().get(i);
                        own.add(new Replicas(role.name(), role.count(), indices.get(i), role.cpus(), role.memoryGiB()));
                    }
                }
            }
            own.removeIf(replicas -> replicas.indices().isEmpty());
            return own;
        }
    }

    /** Change of the ranks of a running assignment. Members as in the contract. */
    record Rescale(
            int number,
            List<@Nullable Integer> ranks,
            Master master,
            boolean mayStart,
            boolean adopted,
            boolean done) {}

    /** Location of checkpoints. */
    record Checkpoint(
            @Nullable String uri, String writeAs, @Nullable Long resumeUpTo) {}

    /** True if the executor must receive the assignment: it must run it, or may have processes of it. */
    static boolean isVisible(DesiredAssignment desired) {
        StoredAssignment assignment = desired.assignment();
        return desired.allocation() != null
                && desired.command() != null
                && (assignment.shouldRun() || assignment.state().holds());
    }

    /** The view of an assignment. */
    static AssignmentView of(DesiredAssignment desired, DesiredStateSnapshot news) {
        StoredAssignment assignment = desired.assignment();
        Allocation allocation = Objects.requireNonNull(desired.allocation());
        Configuration shape = allocation.configuration();
        return new AssignmentView(
                Order.of(desired, news.blockers().getOrDefault(assignment.key(), List.of())),
                Place.of(assignment, allocation, news.addresses()),
                new Training(
                        Batch.of(shape),
                        shape.strategy(),
                        locations(assignment.key(), news),
                        rescale(assignment, allocation, news.addresses()),
                        desired.trainingKey()),
                Program.of(desired, allocation));
    }

    private static @Nullable Rescale rescale(
            StoredAssignment assignment, Allocation allocation, Map<String, String> addresses) {
        StoredAssignment.Rescale change = assignment.rescale();
        if (change == null) {
            return null;
        }
        String node = allocation.placement().get(0).node();
        return new Rescale(
                change.number(),
                change.ranks(),
                new Master(node, addresses.getOrDefault(node, node), change.port()),
                assignment.devices().containsAll(assignment.plannedDevices()),
                change.adopted(),
                !assignment.isRescaling());
    }

    private static List<AggregatorLocation> locations(AssignmentKey key, DesiredStateSnapshot news) {
        List<AggregatorLocation> locations = new ArrayList<>();
        for (StoredAggregator stored : news.aggregators()) {
            String address = news.addresses().getOrDefault(stored.node(), stored.node());
            stored.all()
                    .filter(jobShards ->
                            jobShards.jobId().equals(key.jobId()) && jobShards.generation() == key.generation())
                    .forEach(jobShards -> locations.add(new AggregatorLocation(
                            stored.node(), stored.number(), address, stored.port(), jobShards.shards())));
        }
        return locations;
    }
}
