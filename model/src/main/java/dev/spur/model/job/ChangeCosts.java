package dev.spur.model.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import org.jspecify.annotations.Nullable;

/**
 * Changes that a training carries out without a restart, each with its stall: the seconds from the last step before the
 * change to the first step after it. A training that supports none of them restarts from its checkpoint.
 *
 * @param reconfigureSeconds stall of another batch size on the same slots; null if that requires a restart
 */
public record ChangeCosts(
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double reconfigureSeconds) {
    public ChangeCosts {
        if (reconfigureSeconds != null) {
            Checks.atLeast("reconfigureSeconds", reconfigureSeconds, 0);
        }
    }
}
