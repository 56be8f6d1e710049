package dev.spur.model.dataprep;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job that prepares data, as a round sees it. Once it runs it is neither stopped nor moved. Times are seconds on the
 * clock of the problem.
 *
 * @param id unique id, also among the training jobs
 * @param tenant name of its tenant
 * @param arrival since when it could run: when it was submitted, or began to wait again
 * @param spec what was asked for
 * @param remainingSeconds what is left to do, in seconds with the whole working set in the memory of its node, at least
 *     0
 * @param grant what it holds; null if it waits
 * @param activity by lender, how busy what was borrowed there is, such as pages per second and GiB; the least active is
 *     revoked first, and what is not reported last
 */
public record Preparation(
        String id,
        String tenant,
        double arrival,
        PreparationSpec spec,
        double remainingSeconds,
        @Nullable PreparationAllocation grant,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Double> activity) {
    public Preparation {
        Checks.named("id", id);
        Checks.named("tenant", tenant);
        Checks.atLeast("remainingSeconds", remainingSeconds, 0);
        activity = Checks.copy(activity);
        activity.forEach((lender, busy) -> Checks.atLeast("activity of " + lender, busy, 0));
    }

    /** A preparation of which nobody reports how busy its loans are. */
    public static Preparation of(
            String id,
            String tenant,
            double arrival,
            PreparationSpec spec,
            double remainingSeconds,
            @Nullable PreparationAllocation grant) {
        return new Preparation(id, tenant, arrival, spec, remainingSeconds, grant, Map.of());
    }

    /** This preparation holding {@code other}. */
    public Preparation withGrant(@Nullable PreparationAllocation other) {
        return new Preparation(id, tenant, arrival, spec, remainingSeconds, other, activity);
    }

    /** Seconds since it could run; 0 while it runs. */
    public double waited(double now) {
        return grant == null ? Math.max(0, now - arrival) : 0;
    }
}
