package dev.spur.agent.protocol;

import dev.spur.agent.aggregator.Content;
import dev.spur.agent.aggregator.Counts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is sent to the service and what it answers; names and meanings are those of {@code openapi.yaml}. */
public final class Messages {

    private Messages() {}

    /** Who the executor is, what its node has, and what it runs. */
    public record Registration(
            String instance,
            String version,
            String address,
            String pool,
            @Nullable String acceleratorType,
            double acceleratorMemoryGiB,
            List<DeviceEntry> devices,
            double cpus,
            double memoryGiB,
            double aggregationSlots,
            List<RunningAssignment> running) {}

    /** A device of the node. */
    public record DeviceEntry(String uuid, @Nullable String sliceOf) {}

    /** An assignment of which there are processes. */
    public record RunningAssignment(
            String assignmentId,
            AssignmentPhase state,
            @Nullable Long pid) {}

    /** The answer to a registration. */
    public record RegistrationReply(
            long registrationEpoch,
            double leaseTtlSeconds,
            double leaseGraceSeconds,
            double heartbeatSeconds,
            double pollHoldSeconds,
            List<StopOrder> stop) {}

    /** Something to stop although no assignment says so. */
    public record StopOrder(String assignmentId, double graceSeconds, String reason) {}

    /** A heartbeat. */
    public record Status(
            long registrationEpoch,
            @Nullable Long observedRevision,
            List<DeviceReport> devices,
            List<RunningAssignment> running,
            List<BrokenAggregator> brokenAggregators,
            List<AggregatorCounts> aggregators) {}

    /** How a device of the node does. */
    public record DeviceReport(String uuid, boolean healthy) {}

    /** An aggregator that was to run and ended by itself, for example because its port is taken. */
    public record BrokenAggregator(int number, int port) {}

    /** What an aggregator has done since it started. */
    public record AggregatorCounts(
            int number,
            int port,
            String instance,
            double seconds,
            @Nullable Double cpuSeconds,
            List<Counts.Portion> shardsByJob) {
        /** What the aggregator of {@code order} has done. */
        public static AggregatorCounts of(AggregatorOrder order, Counts counts) {
            return new AggregatorCounts(
                    order.number(),
                    order.port(),
                    counts.instance(),
                    counts.seconds(),
                    counts.cpuSeconds(),
                    counts.shardsByJob());
        }
    }

    /** The answer to a heartbeat. */
    public record LeaseGrant(
            double leaseTtlSeconds, double leaseGraceSeconds, double heartbeatSeconds, List<StopOrder> stop) {}

    /** Everything that the executor is to run or to stop. */
    public record Assignments(
            long revision,
            long planRevision,
            List<Assignment> assignments,
            List<AggregatorOrder> aggregators,
            List<PreparationOrder> preparations,
            List<LentMemory> lends) {
        public Assignments {
            assignments = List.copyOf(assignments);
            aggregators = aggregators == null ? List.of() : List.copyOf(aggregators);
            preparations = preparations == null ? List.of() : List.copyOf(preparations);
            lends = lends == null ? List.of() : List.copyOf(lends);
        }
    }

    /**
     * Memory of this node that a preparation on another one may use.
     *
     * @param gib how much, whole GiB
     * @param activity how busy it is, as the borrower reports; null if it does not
     */
    public record LentMemory(
            String preparationId,
            long generation,
            String borrower,
            int gib,
            @Nullable Double activity) {
        /** The same with less of it. */
        public LentMemory left(int other) {
            return new LentMemory(preparationId, generation, borrower, other, activity);
        }
    }

    /** A loan that was taken back, and what is left of it. */
    public record RevokedLoan(String preparationId, long generation, int leftGiB) {}

    /** A preparation that is to run on this node. */
    public record PreparationOrder(
            String preparationId,
            long generation,
            Assignment.Command command,
            double cpus,
            int localGiB,
            List<BorrowedMemory> loans,
            double graceSeconds) {
        public PreparationOrder {
            loans = List.copyOf(loans);
        }

        /** Memory of another node, whole GiB. */
        public record BorrowedMemory(String lender, String address, int gib) {}
    }

    /** How far a preparation is. */
    public record PreparationProgress(
            long generation,
            long seq,
            double doneSeconds,
            String state,
            @Nullable String detail) {}

    /** Memory in use on the node beyond what is granted there, GiB, and loans that were taken back for it. */
    public record NodeMemory(double usedGiB, List<RevokedLoan> revoked) {}

    /** An aggregator that is to run on this node. */
    public record AggregatorOrder(int number, int port, double cpus, List<Content.Part> shardsByJob) {
        public AggregatorOrder {
            shardsByJob = List.copyOf(shardsByJob);
        }

        /** What it is to sum. */
        public Content content() {
            return new Content(shardsByJob);
        }
    }

    /** A step of an assignment. */
    public record Transition(
            long registrationEpoch,
            long generation,
            long seq,
            AssignmentPhase state,
            @Nullable Long pid,
            @Nullable Integer exitCode,
            boolean requested,
            @Nullable String detail) {}

    /** What an assignment is after a step. */
    public record TransitionReply(
            AssignmentPhase state, long seq, boolean applied, Assignment.Desired desired, boolean mayStart) {}

    /** How far a job is. */
    public record Progress(
            long generation,
            long seq,
            double samplesTotal,
            String state,
            @Nullable String detail,
            @Nullable StepMeasurement measured,
            @Nullable Double loss,
            @Nullable Double checkpointSamples) {}

    /** Steps that were measured. */
    public record StepMeasurement(
            double stepSeconds, long steps, @Nullable Double noiseScale) {}
}
