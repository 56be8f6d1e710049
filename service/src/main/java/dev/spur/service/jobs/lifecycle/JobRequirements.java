package dev.spur.service.jobs.lifecycle;

import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.job.BatchLimits;
import dev.spur.model.job.Elasticity;
import dev.spur.model.job.JobSpec;
import dev.spur.service.cluster.SettingsStore;
import dev.spur.service.jobs.JobGroupStore;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.StatedDependency;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.learning.SpeedLearning;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.stereotype.Component;

/** Requirements of a changed job on the cluster, its group and the jobs that it depends on. */
@Component
class JobRequirements {
    /** Slots beyond which no batch size is checked. */
    private static final int MAX_SLOTS = 100_000;

    private final ClusterInventoryCache hardware;
    private final JobGroupStore groups;
    private final Dependencies dependencies;
    private final SpeedLearning learning;
    private final SettingsStore settings;
    private final JobStore jobs;

    JobRequirements(
            ClusterInventoryCache hardware,
            JobGroupStore groups,
            Dependencies dependencies,
            SpeedLearning learning,
            SettingsStore settings,
            JobStore jobs) {
        this.jobs = jobs;
        this.settings = settings;
        this.hardware = hardware;
        this.groups = groups;
        this.dependencies = dependencies;
        this.learning = learning;
    }

    /** Replaces the dependencies of a locked job, as {@link Dependencies#replace}. */
    void replaceDependencies(StoredJob job, List<StatedDependency> after) {
        dependencies.replace(job, after);
    }

    void requireGroupAccepts(StoredJob job, JobSpec before, JobSpec after) {
        String group = after.group();
        if (group == null || group.equals(before.group())) {
            return;
        }
        // lock the group first, so that what is read afterwards stays valid
        groups.keep(group);
        List<FieldError> errors = hardware.now().hardware().errorsOfGroup(job.tenant(), group);
        if (!errors.isEmpty()) {
            throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
        }
    }

    /**
     * Returns {@code after} with a batch size that its slots divide. That of a rigid job without a stated batch is its
     * number of slots.
     *
     * @throws ProblemException if the slots of the job have changed, and none of the new numbers divides its batch
     */
    JobSpec withDivisibleBatch(JobSpec before, JobSpec after) {
        Elasticity elasticity = after.elasticity();
        int slots = elasticity.minSlots();
        if (elasticity.equals(before.elasticity())) {
            return after;
        }
        if (before.batch().equals(oneSampleForEach(before.elasticity().minSlots())) && slots == elasticity.maxSlots()) {
            return after.edit().batch(oneSampleForEach(slots)).build();
        }
        BatchLimits batch = after.plannedBatch();
        if (Arrays.stream(elasticity.counts(MAX_SLOTS)).noneMatch(batch::dividesAmong)) {
            throw ProblemException.of(
                    ProblemType.UNPROCESSABLE,
                    FieldError.at(
                            "/spec/elasticity/minSlots",
                            "no allowed number of slots divides the batch size of the job (%d to %d), which cannot be changed; state a divisor, or submit the job again with another batch size"
                                    .formatted(batch.min(), batch.max())));
        }
        return after;
    }

    /** The batch size of a job on a fixed number of slots that states none. */
    private static BatchLimits oneSampleForEach(int slots) {
        return new BatchLimits(slots, slots, slots, 1, Map.of(), false, 1);
    }

    void requireFeasible(StoredJob job, JobSpec spec) {
        Elasticity before = job.trainingSpec().elasticity();
        if (!spec.elasticity().nodes().equals(before.nodes())
                || !Objects.equals(spec.elasticity().preferredNodes(), before.preferredNodes())) {
            List<FieldError> errors = NodeRequirementLimit.errors(jobs, spec.elasticity());
            if (!errors.isEmpty()) {
                throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
            }
        }
        if (!Objects.equals(spec.timeLimit(), job.trainingSpec().timeLimit())
                || !spec.elasticity()
                        .pools()
                        .equals(job.trainingSpec().elasticity().pools())) {
            List<FieldError> errors = new TimeLimitRules(hardware.now().hardware(), job.tenant()).errors(spec);
            if (!errors.isEmpty()) {
                throw ProblemException.of(ProblemType.UNPROCESSABLE, errors);
            }
        }
        requireFeasible(
                job,
                SubmissionRules.reasonsAgainst(
                        hardware.now().hardware(),
                        job.tenant(),
                        learning.withPredictions(job.id(), spec),
                        () -> settings.current().value().planning().quotas().nonPreemptibleWithinNominal()));
    }

    void requireFeasible(StoredJob job, PreparationSpec spec) {
        requireFeasible(job, SubmissionRules.reasonsAgainst(hardware.now().hardware(), spec));
    }

    private static void requireFeasible(StoredJob job, List<Obstacle> obstacles) {
        if (!obstacles.isEmpty() && !job.waitForHardware()) {
            throw JobSubmissionService.neverFits(obstacles);
        }
    }
}
