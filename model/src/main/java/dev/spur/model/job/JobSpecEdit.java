package dev.spur.model.job;

import dev.spur.model.performance.HostSensitivity;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import org.jspecify.annotations.Nullable;

/** A specification in the making that differs from another one in what is set here. */
public final class JobSpecEdit {
    private final JobSpec base;
    private Work work;
    private Elasticity elasticity;
    private BatchLimits batch;
    private Synchronization synchronization;
    private StatisticalEfficiency efficiency;
    private ThroughputProfile profile;
    private double restartPenaltySeconds;
    private double minRunSeconds;
    private boolean preemptible;
    private double weight;
    private int priority;
    private HostDemand host;
    private @Nullable HostSensitivity hostSensitivity;
    private @Nullable String group;

    JobSpecEdit(JobSpec base) {
        this.base = base;
        work = base.work();
        elasticity = base.elasticity();
        batch = base.batch();
        synchronization = base.synchronization();
        efficiency = base.efficiency();
        profile = base.profile();
        restartPenaltySeconds = base.restartPenaltySeconds();
        minRunSeconds = base.minRunSeconds();
        preemptible = base.preemptible();
        weight = base.weight();
        priority = base.priority();
        host = base.host();
        hostSensitivity = base.hostSensitivity();
        group = base.group();
    }

    /** See {@link JobSpec#work()}. */
    public JobSpecEdit work(Work other) {
        work = other;
        return this;
    }

    /** See {@link JobSpec#elasticity()}. */
    public JobSpecEdit elasticity(Elasticity other) {
        elasticity = other;
        return this;
    }

    /** See {@link JobSpec#batch()}. */
    public JobSpecEdit batch(BatchLimits other) {
        batch = other;
        return this;
    }

    /** See {@link JobSpec#synchronization()}. */
    public JobSpecEdit synchronization(Synchronization other) {
        synchronization = other;
        return this;
    }

    /** Another belief in how fast the job runs and how much a sample is worth. */
    public JobSpecEdit speed(ThroughputProfile otherProfile, StatisticalEfficiency otherEfficiency) {
        profile = otherProfile;
        efficiency = otherEfficiency;
        return this;
    }

    /** What the job needs of its hosts, and how its speed depends on that. See {@link JobSpec#hostSensitivity()}. */
    public JobSpecEdit host(HostDemand otherHost, @Nullable HostSensitivity otherSensitivity) {
        host = otherHost;
        hostSensitivity = otherSensitivity;
        return this;
    }

    /** See {@link JobSpec#restartPenaltySeconds()}. */
    public JobSpecEdit restartPenaltySeconds(double other) {
        restartPenaltySeconds = other;
        return this;
    }

    /** See {@link JobSpec#minRunSeconds()}. */
    public JobSpecEdit minRunSeconds(double other) {
        minRunSeconds = other;
        return this;
    }

    /** See {@link JobSpec#preemptible()}. */
    public JobSpecEdit preemptible(boolean other) {
        preemptible = other;
        return this;
    }

    /** How much the job counts. See {@link JobSpec#weight()} and {@link JobSpec#priority()}. */
    public JobSpecEdit importance(double otherWeight, int otherPriority) {
        weight = otherWeight;
        priority = otherPriority;
        return this;
    }

    /** See {@link JobSpec#group()}. */
    public JobSpecEdit group(@Nullable String other) {
        group = other;
        return this;
    }

    /** The specification. Throws what the constructor of {@link JobSpec} throws. */
    public JobSpec done() {
        return new JobSpec(
                base.kind(),
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
                base.family(),
                // who may not be moved is not measured: a job that only has to report its end is made so by rounds
                preemptible ? base.profiling() : null,
                hostSensitivity);
    }
}
