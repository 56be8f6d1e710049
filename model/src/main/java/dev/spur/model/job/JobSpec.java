package dev.spur.model.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.HostGrant;
import dev.spur.model.cluster.Node;
import dev.spur.model.performance.HostSensitivity;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import org.jspecify.annotations.Nullable;

/**
 * What a user asks for.
 *
 * @param kind what the job does
 * @param work how much there is to do
 * @param elasticity which slots it may run on
 * @param batch which global batch sizes it may use
 * @param synchronization which strategies it may use
 * @param efficiency how much a sample is worth in a larger batch
 * @param profile how fast it runs
 * @param host what each slot needs of its node beside the accelerator
 * @param restartPenaltySeconds time lost when it starts again in another configuration or on other nodes
 * @param minRunSeconds time after a start in which it is left alone
 * @param preemptible false if, once running, it keeps its allocation to the end: neither stopped nor moved nor resized
 * @param weight factor on its worth
 * @param priority each step doubles its weight; from -10 to 10
 * @param group name of the group whose cap it shares; null for none
 * @param family name of the family of models that it trains, whose jobs run at like speeds; null for none
 * @param profiling what short runs may cost in which its speed is measured; null if there may be none
 * @param hostSensitivity how fast it runs with more or less of its hosts than {@code host}, at which its speed is 1;
 *     null if only that may be granted
 */
public record JobSpec(
        JobKind kind,
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
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable HostSensitivity hostSensitivity) {
    /** Largest absolute priority. */
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
        Checks.require(profiling == null || preemptible, "profiling (%s) needs preemptible to be true", profiling);
        if (hostSensitivity != null) {
            hostSensitivity.requireOneAt(host.cpusPerSlot(), host.memoryGiBPerSlot());
        }
    }

    /** A job that is not measured in runs of their own. */
    public JobSpec(
            JobKind kind,
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
                kind,
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
                null);
    }

    /** A copy in the making, in which some things may differ. */
    public JobSpecEdit edit() {
        return new JobSpecEdit(this);
    }

    /** This specification with another belief in how fast the job runs and how much a sample is worth. */
    public JobSpec withSpeed(ThroughputProfile otherProfile, StatisticalEfficiency otherEfficiency) {
        return edit().speed(otherProfile, otherEfficiency).done();
    }

    /** Total work in useful samples. */
    public double totalSamples() {
        return work.samples(batch.initial());
    }

    /** The batch sizes that a plan may choose from: the initial one alone until statistical efficiency is known. */
    public BatchLimits plannedBatch() {
        return efficiency.isKnown() ? batch : batch.onlyInitial();
    }

    /** True if the job may run on {@code node}, and its profile says how fast it is on that type. */
    public boolean mayRunOn(Node node) {
        String type = node.acceleratorType();
        return type != null
                && elasticity.allowsPool(node.pool())
                && elasticity.allowsType(type)
                && profile.acceleratorTypes().contains(type);
    }

    /** What each slot takes of its node in {@code configuration}: what is granted, or else what is stated. */
    public HostDemand hostIn(Configuration configuration) {
        HostGrant granted = configuration.host();
        return granted == null ? host : new HostDemand(granted.cpusPerSlot(), granted.memoryGiBPerSlot());
    }

    /**
     * Throughput with what {@code configuration} grants of the hosts, relative to that with what is stated: 1 where
     * nothing else is granted, 0 for a grant that is none of the job's levels.
     */
    public double hostSpeed(Configuration configuration) {
        HostGrant granted = configuration.host();
        if (granted == null) {
            return 1;
        }
        return hostSensitivity == null ? 0 : hostSensitivity.speed(granted.cpusPerSlot(), granted.memoryGiBPerSlot());
    }

    /** Weight times two to the power of the priority. */
    public double effectiveWeight() {
        return weight * Math.pow(2, priority);
    }
}
