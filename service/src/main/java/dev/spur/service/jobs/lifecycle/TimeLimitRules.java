package dev.spur.service.jobs.lifecycle;

import dev.spur.model.job.Elasticity;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.TimeLimit;
import dev.spur.model.tenant.Tenant;
import dev.spur.service.jobs.lifecycle.JobSubmission.TrainingSubmission;
import dev.spur.service.web.contract.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Maximum run times of tenants and pools: the maximum of the time limit of a job, and its default. */
final class TimeLimitRules {
    private final ClusterInventory hardware;
    private final @Nullable Tenant strictest;

    TimeLimitRules(ClusterInventory hardware, String tenant) {
        this.hardware = hardware;
        this.strictest = hardware.strictestTenant(tenant);
    }

    /**
     * Returns a submission with its time limit: by default the largest that its tenant and one of its pools allow. Of
     * the pools it keeps those that allow its limit, unless none does.
     */
    static JobSubmission complete(JobSubmission submission, ClusterInventory hardware) {
        return submission instanceof TrainingSubmission training
                ? training.withSpec(new TimeLimitRules(hardware, training.tenant()).complete(training.spec()))
                : submission;
    }

    private JobSpec complete(JobSpec spec) {
        List<String> pools = hardware.pools(spec.elasticity());
        double largest = Math.min(
                maxSeconds(),
                pools.stream().mapToDouble(hardware::maxRunSeconds).max().orElse(Double.POSITIVE_INFINITY));
        TimeLimit limit =
                spec.timeLimit() == null && Double.isFinite(largest) ? TimeLimit.ofJob(largest) : spec.timeLimit();
        List<String> fitting = pools.stream()
                .filter(pool -> seconds(limit) <= hardware.maxRunSeconds(pool))
                .toList();
        Elasticity elasticity = fitting.isEmpty() || fitting.size() == pools.size()
                ? spec.elasticity()
                : spec.elasticity().withPools(fitting);
        return Objects.equals(limit, spec.timeLimit()) && elasticity.equals(spec.elasticity())
                ? spec
                : spec.edit().timeLimit(limit).elasticity(elasticity).build();
    }

    /** Returns the errors of a complete specification. */
    List<FieldError> errors(JobSpec spec) {
        List<FieldError> errors = new ArrayList<>();
        TimeLimit limit = spec.timeLimit();
        if (strictest != null && seconds(limit) > maxSeconds()) {
            errors.add(error(limit, maxSeconds(), "tenant " + strictest.name()));
        }
        hardware.pools(spec.elasticity()).stream()
                .filter(pool -> seconds(limit) > hardware.maxRunSeconds(pool))
                .findFirst()
                .ifPresent(pool -> errors.add(error(limit, hardware.maxRunSeconds(pool), "pool " + pool)));
        return errors;
    }

    private static FieldError error(@Nullable TimeLimit limit, double max, String owner) {
        return limit == null
                ? FieldError.at(
                        "/spec/timeLimit",
                        "is required: jobs of %s may run for at most %s".formatted(owner, TimeLimit.text(max)))
                : FieldError.at(
                        "/spec/timeLimit/seconds",
                        "(%s) exceeds the maximum of %s (%s); reduce it, or choose another %s"
                                .formatted(
                                        TimeLimit.text(limit.seconds()),
                                        owner,
                                        TimeLimit.text(max),
                                        owner.substring(0, owner.indexOf(' '))));
    }

    private double maxSeconds() {
        return strictest == null || strictest.maxRunSeconds() == null
                ? Double.POSITIVE_INFINITY
                : strictest.maxRunSeconds();
    }

    private static double seconds(@Nullable TimeLimit limit) {
        return limit == null ? Double.POSITIVE_INFINITY : limit.seconds();
    }
}
