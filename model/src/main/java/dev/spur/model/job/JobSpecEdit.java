package dev.spur.model.job;

import dev.spur.model.performance.HostSensitivity;
import dev.spur.model.performance.StatisticalEfficiency;
import dev.spur.model.performance.ThroughputProfile;
import org.jspecify.annotations.Nullable;

/** A builder of a specification that differs from a base specification in the values set here. */
public final class JobSpecEdit {
    private final JobSpec baseSpec;
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
    private @Nullable ChangeCosts changeCosts;
    private @Nullable Double revenue;
    private PreemptionPolicy preemptionPolicy;
    private @Nullable TimeLimit timeLimit;
    private Roles roles;

    JobSpecEdit(JobSpec baseSpec) {
        this.baseSpec = baseSpec;
        work = baseSpec.work();
        elasticity = baseSpec.elasticity();
        batch = baseSpec.batch();
        synchronization = baseSpec.synchronization();
        efficiency = baseSpec.efficiency();
        profile = baseSpec.profile();
        restartPenaltySeconds = baseSpec.restartPenaltySeconds();
        minRunSeconds = baseSpec.minRunSeconds();
        preemptible = baseSpec.preemptible();
        weight = baseSpec.weight();
        priority = baseSpec.priority();
        host = baseSpec.host();
        hostSensitivity = baseSpec.hostSensitivity();
        group = baseSpec.group();
        changeCosts = baseSpec.changeCosts();
        revenue = baseSpec.revenue();
        preemptionPolicy = baseSpec.preemptionPolicy();
        timeLimit = baseSpec.timeLimit();
        roles = baseSpec.roles();
    }

    /** Sets {@link JobSpec#work()}. */
    public JobSpecEdit work(Work other) {
        work = other;
        return this;
    }

    /** Sets {@link JobSpec#elasticity()}. */
    public JobSpecEdit elasticity(Elasticity other) {
        elasticity = other;
        return this;
    }

    /** Sets {@link JobSpec#batch()}. */
    public JobSpecEdit batch(BatchLimits other) {
        batch = other;
        return this;
    }

    /** Sets {@link JobSpec#synchronization()}. */
    public JobSpecEdit synchronization(Synchronization other) {
        synchronization = other;
        return this;
    }

    /** Sets the throughput profile and the statistical efficiency. */
    public JobSpecEdit speed(ThroughputProfile otherProfile, StatisticalEfficiency otherEfficiency) {
        profile = otherProfile;
        efficiency = otherEfficiency;
        return this;
    }

    /**
     * Sets the host demand and the dependence of the speed on host resources. See {@link JobSpec#hostSensitivity()}.
     */
    public JobSpecEdit host(HostDemand otherHost, @Nullable HostSensitivity otherSensitivity) {
        host = otherHost;
        hostSensitivity = otherSensitivity;
        return this;
    }

    /** Sets {@link JobSpec#restartPenaltySeconds()}. */
    public JobSpecEdit restartPenaltySeconds(double other) {
        restartPenaltySeconds = other;
        return this;
    }

    /** Sets {@link JobSpec#minRunSeconds()}. */
    public JobSpecEdit minRunSeconds(double other) {
        minRunSeconds = other;
        return this;
    }

    /** Sets {@link JobSpec#preemptible()}. */
    public JobSpecEdit preemptible(boolean other) {
        preemptible = other;
        return this;
    }

    /** Sets {@link JobSpec#weight()} and {@link JobSpec#priority()}. */
    public JobSpecEdit importance(double otherWeight, int otherPriority) {
        weight = otherWeight;
        priority = otherPriority;
        return this;
    }

    /** Sets {@link JobSpec#group()}. */
    public JobSpecEdit group(@Nullable String other) {
        group = other;
        return this;
    }

    /** Sets {@link JobSpec#changeCosts()}. */
    public JobSpecEdit changeCosts(@Nullable ChangeCosts other) {
        changeCosts = other;
        return this;
    }

    /** Sets {@link JobSpec#revenue()}. */
    public JobSpecEdit revenue(@Nullable Double other) {
        revenue = other;
        return this;
    }

    /** Sets {@link JobSpec#preemptionPolicy()}. */
    public JobSpecEdit preemptionPolicy(PreemptionPolicy other) {
        preemptionPolicy = other;
        return this;
    }

    /** Sets {@link JobSpec#timeLimit()}. */
    public JobSpecEdit timeLimit(@Nullable TimeLimit other) {
        timeLimit = other;
        return this;
    }

    /** Sets {@link JobSpec#roles()}. */
    public JobSpecEdit roles(Roles other) {
        roles = other;
        return this;
    }

    /** Returns the specification. Throws the exceptions of the constructor of {@link JobSpec}. */
    public JobSpec build() {
        return new JobSpec(
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
                baseSpec.family(),
                // a job that must not be preempted cannot be profiled; rounds make jobs non-preemptible that
                // only have to report their end
                preemptible ? baseSpec.profiling() : null,
                hostSensitivity,
                changeCosts,
                revenue,
                preemptionPolicy,
                timeLimit,
                roles);
    }
}
