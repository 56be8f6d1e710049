package dev.spur.agent.protocol;

import dev.spur.agent.aggregator.Content;
import dev.spur.agent.aggregator.Counts;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests and responses of the executor protocol. Names and meanings are defined in {@code openapi.yaml}. */
public final class Messages {

    private Messages() {}

    /**
     * Registration of an executor: its identity, inventory and running assignments.
     *
     * @param hostEnforcement how it limits the host resources of jobs
     * @param sharesDevices true if it starts jobs that take a share of a device
     */
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
            HostEnforcement hostEnforcement,
            Map<String, String> labels,
            boolean sharesDevices,
            List<RunningAssignment> running) {}

    /** A device of the node. */
    public record DeviceEntry(String uuid, @Nullable String sliceOf) {}

    /** An assignment with processes on the node. */
    public record RunningAssignment(
            String assignmentId,
            AssignmentPhase state,
            @Nullable Long pid) {}

    /** Response to a registration. */
    public record RegistrationReply(
            long registrationEpoch,
            double leaseTtlSeconds,
            double leaseGraceSeconds,
            double heartbeatSeconds,
            double pollHoldSeconds,
            List<StopOrder> stop) {}

    /** An assignment to stop although no assignment requires it. */
    public record StopOrder(String assignmentId, double graceSeconds, String reason) {}

    /**
     * A heartbeat.
     *
     * @param startRefusal reason why no process is started, for example a full disk; null if processes are started
     */
    public record Status(
            long registrationEpoch,
            @Nullable Long observedRevision,
            List<DeviceReport> devices,
            List<RunningAssignment> running,
            List<BrokenAggregator> brokenAggregators,
            List<AggregatorCounts> aggregators,
            @Nullable String startRefusal) {}

    /**
     * Health and use of a device.
     *
     * @param utilization share of time in use, from 0 to 1; null if unknown
     * @param memoryUsedMiB memory in use, MiB; null if unknown
     * @param powerWatts power, W; null if unknown
     */
    public record DeviceReport(
            String uuid,
            boolean healthy,
            @Nullable Double utilization,
            @Nullable Double memoryUsedMiB,
            @Nullable Double powerWatts) {
        /** Creates a report of a device whose use is unknown. */
        public DeviceReport(String uuid, boolean healthy) {
            this(uuid, healthy, null, null, null);
        }
    }

    /** A required aggregator that ended without a stop request, for example because its port is in use. */
    public record BrokenAggregator(int number, int port) {}

    /** Counts of an aggregator since its start. */
    public record AggregatorCounts(
            int number,
            int port,
            String instance,
            double seconds,
            @Nullable Double cpuSeconds,
            List<Counts.Portion> shardsByJob) {
        /** Creates the counts of the aggregator of {@code order}. */
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

    /** Response to a heartbeat. */
    public record LeaseGrant(
            double leaseTtlSeconds, double leaseGraceSeconds, double heartbeatSeconds, List<StopOrder> stop) {}

    /** Desired state of the node: everything that the executor must run or stop. */
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
     * Memory of this node lent to a preparation on another node.
     *
     * @param gib amount, whole GiB
     * @param activity activity reported by the borrower; null if it reports none
     */
    public record LentMemory(
            String preparationId,
            long generation,
            String borrower,
            int gib,
            @Nullable Double activity) {
        /** Returns a copy with a smaller amount. */
        public LentMemory withAmount(int other) {
            return new LentMemory(preparationId, generation, borrower, other, activity);
        }
    }

    /** A revoked loan and the amount that remains. */
    public record RevokedLoan(String preparationId, long generation, int leftGiB) {}

    /** A preparation assigned to this node. */
    public record PreparationOrder(
            String preparationId,
            String tenant,
            long generation,
            Assignment.Command command,
            double cpus,
            int localGiB,
            List<BorrowedMemory> loans,
            double graceSeconds) {
        public PreparationOrder {
            loans = List.copyOf(loans);
        }

        /**
         * Memory borrowed from another node.
         *
         * @param gib amount, whole GiB
         * @param port TCP port of its export; null while the lender serves none
         * @param key pre-shared key of the export, hexadecimal; null without a port
         */
        public record BorrowedMemory(
                String lender,
                String address,
                int gib,
                @Nullable Integer port,
                @Nullable String key) {
            @Override
            public String toString() {
                return "%s:%s, %d GiB of %s".formatted(address, port, gib, lender);
            }
        }
    }

    /** Progress of a preparation. */
    public record PreparationProgress(
            long generation,
            long seq,
            double doneSeconds,
            String state,
            @Nullable String detail) {}

    /**
     * Memory of the node.
     *
     * @param usedGiB memory used in addition to the grants, GiB
     * @param lendingRefusal why the node lends no memory; null if it lends
     * @param revoked loans revoked because of the use
     * @param exports loans that borrowers can reach
     */
    public record NodeMemory(
            double usedGiB, @Nullable String lendingRefusal, List<RevokedLoan> revoked, List<MemoryExport> exports) {}

    /**
     * A loan that its borrower can reach.
     *
     * @param port TCP port
     * @param key pre-shared key, hexadecimal
     */
    public record MemoryExport(String preparationId, long generation, int port, String key) {
        @Override
        public String toString() {
            return "export for preparation %s, port %d".formatted(preparationId, port);
        }
    }

    /** An aggregator assigned to this node. */
    public record AggregatorOrder(int number, int port, double cpus, List<Content.Part> shardsByJob) {
        public AggregatorOrder {
            shardsByJob = List.copyOf(shardsByJob);
        }

        /** Returns the content of the aggregator. */
        public Content content() {
            return new Content(shardsByJob);
        }
    }

    /** A state transition of an assignment. */
    public record Transition(
            long registrationEpoch,
            long generation,
            long seq,
            AssignmentPhase state,
            @Nullable Long pid,
            @Nullable Integer exitCode,
            boolean requested,
            @Nullable String detail,
            @Nullable Integer rescaled,
            @Nullable Boolean warm) {}

    /** State of an assignment after a transition. */
    public record TransitionReply(
            AssignmentPhase state, long seq, boolean applied, Assignment.Desired desired, boolean mayStart) {}

    /** Output of the processes of an assignment. */
    public record LogUpload(long registrationEpoch, long seq, List<RankOutput> ranks) {
        public LogUpload {
            ranks = List.copyOf(ranks);
        }
    }

    /**
     * Output of one rank.
     *
     * @param restart true if the text replaces all stored output of the rank
     * @param path file with the whole log on this node
     * @param end end of the process; null while it runs
     */
    public record RankOutput(
            int rank,
            String text,
            boolean restart,
            String path,
            @Nullable RankEnd end) {}

    /**
     * End of a process.
     *
     * @param outOfMemory HOST or DEVICE; null if not known
     */
    public record RankEnd(
            int exitCode, boolean stopped, @Nullable String outOfMemory, double secondsAgo) {}

    /** Progress of a job. */
    public record Progress(
            long generation,
            long seq,
            double samplesTotal,
            String state,
            @Nullable String detail,
            @Nullable StepMeasurement measured,
            @Nullable Double loss,
            @Nullable Double checkpointSamples,
            List<MeasuredChange> changes,
            @Nullable StepTimes stepTimes) {
        public Progress {
            changes = List.copyOf(changes);
        }
    }

    /** Change within a generation, with its stall. */
    public record MeasuredChange(int number, String kind, double stallSeconds) {}

    /** Seconds since the first step of the generation began and the last one ended. */
    public record StepTimes(double firstSecondsAgo, double lastSecondsAgo) {}

    /** Measured steps. */
    public record StepMeasurement(
            double stepSeconds,
            long steps,
            @Nullable Double noiseScale,
            @Nullable Integer slots,
            @Nullable Integer batchSize) {}
}
