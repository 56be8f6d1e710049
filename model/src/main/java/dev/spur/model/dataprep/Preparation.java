package dev.spur.model.dataprep;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A data preparation in a round. A running preparation is neither stopped nor moved. Times are seconds on the clock of
 * the problem.
 *
 * @param id unique id, also among the training jobs
 * @param tenant name of its tenant
 * @param arrival start of its wait: its submission, or the time at which it began to wait again
 * @param spec its specification
 * @param remainingSeconds remaining run time with the whole working set in the memory of its node, seconds, at least 0
 * @param grant its allocation; null if it waits
 * @param activity access rate of the borrowed memory by lender, for example pages per second and GiB. The least active
 *     loan is revoked first, and loans without a report last
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
        Checks.nonBlank("id", id);
        Checks.nonBlank("tenant", tenant);
        Checks.atLeast("remainingSeconds", remainingSeconds, 0);
        activity = Checks.copy(activity);
        activity.forEach((lender, busy) -> Checks.atLeast("activity of " + lender, busy, 0));
    }

    /** Returns a preparation without activity reports of its loans. */
    public static Preparation of(
            String id,
            String tenant,
            double arrival,
            PreparationSpec spec,
            double remainingSeconds,
            @Nullable PreparationAllocation allocation) {
        return new Preparation(id, tenant, arrival, spec, remainingSeconds, allocation, Map.of());
    }

    /** Returns this preparation with the allocation {@code other}. */
    public Preparation withGrant(@Nullable PreparationAllocation other) {
        return new Preparation(id, tenant, arrival, spec, remainingSeconds, other, activity);
    }

    /** Returns the seconds of its wait; 0 while it runs. */
    public double waitingSeconds(double now) {
        return grant == null ? Math.max(0, now - arrival) : 0;
    }
}
