package dev.spur.model.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.HostGrant;
import dev.spur.model.cluster.Node;
import dev.spur.model.performance.HostLevel;
import dev.spur.model.performance.HostSensitivity;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.performance.ThroughputProfile;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The specification of a training job.
 *
 * @param work amount of work
 * @param elasticity slots on which it may run
 * @param batch global batch sizes that it may use
 * @param synchronization synchronization strategies that it may use
 * @param efficiency statistical efficiency by batch size
 * @param profile throughput by configuration
 * @param host host resources that each slot requires of its node in addition to the accelerator
 * @param restartPenaltySeconds time lost when it restarts in another configuration or on other nodes
 * @param minRunSeconds minimum run time: time after a start in which it is not preempted
 * @param preemptible false if, once running, it keeps its allocation until it ends, without a stop, migration or resize
 * @param weight factor of its utility
 * @param priority its class, from -10 to 10: no number of jobs of lower classes outranks it; weights act within a class
 * @param group name of the group whose cap it shares; null for none
 * @param family name of its model family, whose jobs have similar speeds; null for none
 * @param profiling budget of its profiling runs; null if it must not be profiled
 * @param hostSensitivity speed with other host resources than {@code host}, relative to the speed with {@code host};
 *     null if only {@code host} may be granted
 * @param changeCosts changes that it carries out without a restart; null for none
 * @param revenue money that it earns when it is done, in the unit of the prices of nodes, at least 0; null for none
 * @param preemptionPolicy whether it may stop jobs of lower classes; it may if absent in a file
 * @param timeLimit its maximum run time; null for none
 * @param roles its processes without accelerators on the nodes of the gang
 */
public record JobSpec(
        Work work,
        Elasticity elasticity,
        BatchLimits batch,
        Synchronization synchronization,
        StatisticalEfficiency efficiency,
        ThroughputProfile profile,
        HostDemand host,
        double restartPenaltySeconds,
        double minRunSeconds,
        boolean preemptible,
        double weight,
        int priority,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String group,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String family,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Profiling profiling,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable HostSensitivity hostSensitivity,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ChangeCosts changeCosts,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double revenue,
        PreemptionPolicy preemptionPolicy,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable TimeLimit timeLimit,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Roles roles) {
    /** Maximum absolute priority. */
    public static final int MAX_PRIORITY = 10;

    @JsonCreator
    public JobSpec {
        Checks.atLeast("restartPenaltySeconds", restartPenaltySeconds, 0);
        Checks.atLeast("minRunSeconds", minRunSeconds, 0);
        Checks.positive("weight", weight);
        Checks.require(
                Math.abs(priority) <= MAX_PRIORITY, "priority (%s) must be from -%s to 10", priority, MAX_PRIORITY);
        Checks.require(group == null || !group.isBlank(), "group must not be blank");
        Checks.require(family == null || !family.isBlank(), "family must not be blank");
        Checks.require(profiling == null || preemptible, "profiling (%s) requires preemptible to be true", profiling);
        Checks.require(revenue == null || revenue >= 0, "revenue (%s) must be at least 0", revenue);
        preemptionPolicy = Objects.requireNonNullElse(preemptionPolicy, PreemptionPolicy.PREEMPT_LOWER_PRIORITY);
        roles = Objects.requireNonNullElse(roles, Roles.NONE);
        if (hostSensitivity != null) {
            hostSensitivity.requireUnitSpeedAt(host.cpusPerSlot(), host.memoryGiBPerSlot());
        }
    }

    /**
     * A job without profiling runs, host sensitivity, revenue, time limit and roles, whose changes are restarts, and
     * which may stop lower classes.
     */
    public JobSpec(
            Work work,
            Elasticity elasticity,
            BatchLimits batch,
            Synchronization synchronization,
            StatisticalEfficiency efficiency,
            ThroughputProfile profile,
            HostDemand host,
            double restartPenaltySeconds,
            double minRunSeconds,
            boolean preemptible,
            double weight,
            int priority,
            @Nullable String group,
            @Nullable String family) {
        this(
                work,
                elasticity,
                batch,
                synchronization,
                efficiency,
                profile,
                host,
                restartPenaltySeconds,
                minRunSeconds,
                preemptible,
                weight,
                priority,
                group,
                family,
                null,
                null,
                null,
                null,
                PreemptionPolicy.PREEMPT_LOWER_PRIORITY,
                null,
                Roles.NONE);
    }

    /** Returns an editable copy. */
    public JobSpecEdit edit() {
        return new JobSpecEdit(this);
    }

    /** Returns this specification with another throughput profile and statistical efficiency. */
    public JobSpec withSpeed(ThroughputProfile otherProfile, StatisticalEfficiency otherEfficiency) {
        return edit().speed(otherProfile, otherEfficiency).build();
    }

    /** Returns this specification with the speeds on nodes without other jobs. */
    public JobSpec withoutContention() {
        return withSpeed(profile.withContention(Map.of()), efficiency);
    }

    /**
     * Returns the seconds without progress of a change.
     *
     * @throws IllegalArgumentException if the training does not support {@code mechanism}
     */
    public double stallSeconds(ChangeMechanism mechanism) {
        return switch (mechanism) {
            case UNCHANGED -> 0;
            case RECONFIGURE, RESCALE, MIGRATE -> {
                Double stall = changeCosts == null ? null : changeCosts.of(mechanism);
                if (stall == null) {
                    throw new IllegalArgumentException("the job does not support " + mechanism);
                }
                yield stall;
            }
            case RESTART -> restartPenaltySeconds;
        };
    }

    /**
     * Returns the seconds after a start or change for which a job keeps its allocation: its minimum run time, or twice
     * the stall of a restart, so that no stint is mostly stall. One stall suffices for a job that changes its slots
     * without a restart.
     */
    public double protectionSeconds() {
        return Math.max(minRunSeconds, (rescales() ? 1 : 2) * restartPenaltySeconds);
    }

    /**
     * Returns the seconds with slots until a time limit ends the job; infinite if none does.
     *
     * @param runSeconds seconds of all starts so far
     * @param startSeconds seconds of the current start so far
     */
    public double secondsToEndByLimit(double runSeconds, double startSeconds) {
        return timeLimit == null || timeLimit.onLimit() != TimeLimit.Action.END
                ? Double.POSITIVE_INFINITY
                : timeLimit.secondsLeft(runSeconds, startSeconds);
    }

    /** Returns this specification with other stalls, in seconds, of the changes that the training supports. */
    public JobSpec withStalls(ToDoubleFunction<ChangeMechanism> stall) {
        return edit().restartPenaltySeconds(stall.applyAsDouble(ChangeMechanism.RESTART))
                .changeCosts(changeCosts == null ? null : changeCosts.withStalls(stall))
                .build();
    }

    /** Returns how the job changes from {@code heldAllocation}, null if it waits, to {@code allocation}. */
    public ChangeMechanism change(@Nullable Allocation heldAllocation, Allocation allocation) {
        if (heldAllocation == null) {
            return ChangeMechanism.RESTART;
        }
        boolean adoptsGrant = hostSensitivity == null
                || !hostSensitivity.onlyAtStart()
                || Objects.equals(
                        heldAllocation.configuration().host(),
                        allocation.configuration().host());
        if (adoptsGrant && allocation.sameRunAs(heldAllocation)) {
            return ChangeMechanism.UNCHANGED;
        }
        if (adoptsGrant && reconfigures() && allocation.differsInBatchOnly(heldAllocation)) {
            return ChangeMechanism.RECONFIGURE;
        }
        if (rescales() && allocation.keepsRankZeroOf(heldAllocation)) {
            return ChangeMechanism.RESCALE;
        }
        return migratesTo(allocation.configuration()) && allocation.isDisjointFrom(heldAllocation)
                ? ChangeMechanism.MIGRATE
                : ChangeMechanism.RESTART;
    }

    /** Returns true if the processes of {@code configuration} may start on free slots while the training continues. */
    public boolean migratesTo(Configuration configuration) {
        return supports(ChangeMechanism.MIGRATE) && configuration.strategy() == SyncStrategy.ALL_REDUCE;
    }

    /** Returns true if the training changes its slots without a restart while rank 0 stays. */
    public boolean rescales() {
        return supports(ChangeMechanism.RESCALE);
    }

    /** Returns this specification without {@code mechanism}, so that such a change is a restart. */
    public JobSpec without(ChangeMechanism mechanism) {
        return changeCosts == null
                ? this
                : edit().changeCosts(changeCosts.without(mechanism)).build();
    }

    /**
     * Returns true if the training supports {@code mechanism}, with at most the stall of a restart. Every training
     * restarts, and may stay unchanged. A job with a share of a device restarts to leave that device.
     */
    public boolean supports(ChangeMechanism mechanism) {
        if (mechanism == ChangeMechanism.UNCHANGED || mechanism == ChangeMechanism.RESTART) {
            return true;
        }
        if (elasticity.deviceShare() != null && mechanism != ChangeMechanism.RECONFIGURE) {
            return false;
        }
        Double stall = changeCosts == null ? null : changeCosts.of(mechanism);
        return stall != null && stall <= restartPenaltySeconds;
    }

    /** Returns true if the training adopts another batch size without a restart. */
    public boolean reconfigures() {
        return supports(ChangeMechanism.RECONFIGURE);
    }

    /** Returns the total work in effective samples. */
    public double totalSamples() {
        return work.samples(batch.initial());
    }

    /**
     * Returns the batch sizes that a plan may choose from: only the initial one until the statistical efficiency is
     * known.
     */
    public BatchLimits plannedBatch() {
        return efficiency.isKnown() ? batch : batch.onlyInitial();
    }

    /** Returns true if the request of the job allows {@code node} and its profile contains the type of the node. */
    public boolean mayRunOn(Node node) {
        String type = node.acceleratorType();
        return type != null
                && elasticity.allowsPool(node.pool())
                && elasticity.allowsType(type)
                && elasticity.allowsNode(node)
                && profile.acceleratorTypes().contains(type);
    }

    /**
     * Returns the host resources that each slot reserves on its node in {@code configuration}: those of its rank, and
     * the {@link Roles#largestShare largest share} of roles.
     */
    public HostDemand hostIn(Configuration configuration) {
        return hostOfRankIn(configuration).plus(roles.largestShare(configuration.shape()));
    }

    /**
     * Returns the host resources of the rank of each slot in {@code configuration}: the granted ones, or else those of
     * the specification.
     */
    public HostDemand hostOfRankIn(Configuration configuration) {
        HostGrant granted = configuration.host();
        return granted == null ? host : new HostDemand(granted.cpusPerSlot(), granted.memoryGiBPerSlot());
    }

    /**
     * Returns the parts of devices that {@code configuration} takes, {@link Elasticity#PARTS} for each whole device.
     */
    public long partsIn(Configuration configuration) {
        return (long) configuration.slots() * elasticity.partsPerDevice();
    }

    /** Returns the devices that {@code configuration} takes; a share of a device counts as such. */
    public double devicesIn(Configuration configuration) {
        return (double) partsIn(configuration) / Elasticity.PARTS;
    }

    /** Returns the levels that the job may be granted: those of its host sensitivity, or else the stated demand. */
    public List<HostLevel> hostLevels() {
        return hostSensitivity == null
                ? List.of(new HostLevel(host.cpusPerSlot(), host.memoryGiBPerSlot(), 1))
                : hostSensitivity.levels();
    }

    /** Returns the host grant for {@code level}; null if it equals the stated demand. */
    public @Nullable HostGrant grant(HostLevel level) {
        return HostDemand.of(level).equals(host) ? null : new HostGrant(level.cpusPerSlot(), level.memoryGiBPerSlot());
    }

    /**
     * Returns the throughput with the host resources that {@code configuration} grants, relative to that with the
     * specified host resources: 1 without a host grant, 0 for a grant that is none of the job's levels.
     */
    public double hostSpeed(Configuration configuration) {
        HostGrant granted = configuration.host();
        if (granted == null) {
            return 1;
        }
        return hostSensitivity == null ? 0 : hostSensitivity.speed(granted.cpusPerSlot(), granted.memoryGiBPerSlot());
    }

    /**
     * Returns the throughput across the boundaries of {@code configuration}, relative to that within one domain of the
     * topology: 1 without boundaries.
     */
    public double crossingSpeed(Configuration configuration) {
        TopologyRequest topology = elasticity.topology();
        return topology == null ? 1 : topology.speed(configuration.boundaries());
    }
}
