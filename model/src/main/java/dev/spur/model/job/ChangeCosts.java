package dev.spur.model.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Changes that a training carries out without a restart, each with its stall: the seconds from the last step before the
 * change to the first step after it. A training that supports none of them restarts from its checkpoint. It also
 * restarts if that takes less time.
 *
 * @param reconfigureSeconds stall of another batch size on the same slots; null if that requires a restart
 * @param rescaleSeconds stall of other slots while at least rank 0 stays; null if that requires a restart
 * @param migrateSeconds stall of a move to other slots, whose processes start while the training continues; null if
 *     that requires a restart
 */
public record ChangeCosts(
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double reconfigureSeconds,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double rescaleSeconds,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double migrateSeconds) {
    public ChangeCosts {
        requireStall("reconfigureSeconds", reconfigureSeconds);
        requireStall("rescaleSeconds", rescaleSeconds);
        requireStall("migrateSeconds", migrateSeconds);
    }

    private static void requireStall(String name, @Nullable Double seconds) {
        if (seconds != null) {
            Checks.atLeast(name, seconds, 0);
        }
    }

    /** Returns the stall of {@code mechanism}; null if the training does not support it. */
    @Nullable
    Double of(ChangeMechanism mechanism) {
        return switch (mechanism) {
            case RECONFIGURE -> reconfigureSeconds;
            case RESCALE -> rescaleSeconds;
            case MIGRATE -> migrateSeconds;
            case UNCHANGED, RESTART -> null;
        };
    }

    /** Returns these costs with other stalls of the supported changes. */
    ChangeCosts withStalls(ToDoubleFunction<ChangeMechanism> stall) {
        return new ChangeCosts(
                reconfigureSeconds == null ? null : stall.applyAsDouble(ChangeMechanism.RECONFIGURE),
                rescaleSeconds == null ? null : stall.applyAsDouble(ChangeMechanism.RESCALE),
                migrateSeconds == null ? null : stall.applyAsDouble(ChangeMechanism.MIGRATE));
    }

    /** Returns these costs without those of {@code mechanism}. */
    ChangeCosts without(ChangeMechanism mechanism) {
        return new ChangeCosts(
                mechanism == ChangeMechanism.RECONFIGURE ? null : reconfigureSeconds,
                mechanism == ChangeMechanism.RESCALE ? null : rescaleSeconds,
                mechanism == ChangeMechanism.MIGRATE ? null : migrateSeconds);
    }
}
