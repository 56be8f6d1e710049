package dev.spur.service.jobs.lifecycle;

import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.job.JobDependency;
import dev.spur.model.job.JobSpec;
import dev.spur.service.cluster.SettingsStore;
import dev.spur.service.jobs.JobGroupStore;
import dev.spur.service.jobs.JobStore;
import dev.spur.service.jobs.StoredJob;
import dev.spur.service.jobs.learning.SpeedLearning;
import dev.spur.service.web.contract.FieldError;
import dev.spur.service.web.contract.ProblemException;
import dev.spur.service.web.contract.ProblemType;
import java.util.List;
import java.util.Objects;
import org.springframework.stereotype.Component;

/** Requirements of a changed job on the cluster, its group and the jobs that it depends on. */
@Component
class JobRequirements {
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
    void replaceDependencies(StoredJob job, List<JobDependency> after) {
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

    void requireFeasible(StoredJob job, JobSpec spec) {
        if (!spec.elasticity().nodes().equals(job.trainingSpec().elasticity().nodes())) {
            List<FieldError> errors =
                    NodeRequirementLimit.errors(jobs, spec.elasticity().nodes());
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

    private static void requireFeasible(StoredJob job, List<String> reasons) {
        if (!reasons.isEmpty() && !job.waitForHardware()) {
            throw JobSubmissionService.neverFits(reasons);
        }
    }
}
