package dev.spur.model.performance;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.spur.model.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The dependence of a job's speed on host CPUs and memory: the levels at which it was measured. Only these levels may
 * be granted. A level with more of both is never slower. Source of the form: Mohan et al., Synergy, OSDI '22.
 *
 * @param levels 1 to {@value #MAX_LEVELS} levels, in any order; no two with the same CPUs and memory
 * @param onlyAtStart true if a running job must restart to receive another level
 */
public record HostSensitivity(List<HostLevel> levels, boolean onlyAtStart) {
    /** Maximum number of levels. */
    public static final int MAX_LEVELS = 64;

    public HostSensitivity {
        levels = Checks.copy(levels);
        Checks.require(
                !levels.isEmpty() && levels.size() <= MAX_LEVELS,
                "levels (%s) must be from 1 to %s",
                levels.size(),
                MAX_LEVELS);
        for (HostLevel level : levels) {
            for (HostLevel other : levels) {
                boolean isFine = level.equals(other) || !level.covers(other) || level.speed() >= other.speed();
                boolean isTwice = !level.equals(other) && level.covers(other) && other.covers(level);
                Checks.require(!isTwice, "levels %s and %s have the same CPUs and memory", level, other);
                Checks.require(
                        isFine, "level %s is slower than level %s, which has no more CPUs or memory", level, other);
            }
        }
        Checks.require(levels.stream().distinct().count() == levels.size(), "levels (%s) must be unique", levels);
    }

    /** Reads levels; a file that omits {@code onlyAtStart} means false. */
    @JsonCreator
    static HostSensitivity of(
            @JsonProperty("levels") List<HostLevel> levels,
            @JsonProperty("onlyAtStart") @Nullable Boolean onlyAtStart) {
        return new HostSensitivity(levels, Boolean.TRUE.equals(onlyAtStart));
    }

    /** Levels between which a running job changes without a restart. */
    public HostSensitivity(List<HostLevel> levels) {
        this(levels, false);
    }

    /** Returns the same levels for a platform that grants host resources only when a job starts. */
    public HostSensitivity atStart() {
        return new HostSensitivity(levels, true);
    }

    /**
     * Returns the throughput with exactly the given host resources per slot, relative to that with the stated demand; 0
     * if they are no level.
     */
    public double speed(double cpusPerSlot, double memoryGiBPerSlot) {
        for (HostLevel level : levels) {
            if (level.cpusPerSlot() == cpusPerSlot && level.memoryGiBPerSlot() == memoryGiBPerSlot) {
                return level.speed();
            }
        }
        return 0;
    }

    /**
     * Requires that the speed is 1 with the host resources per slot that a job states.
     *
     * @throws IllegalArgumentException if it is not 1
     */
    public void requireUnitSpeedAt(double cpusPerSlot, double memoryGiBPerSlot) {
        Checks.require(
                speed(cpusPerSlot, memoryGiBPerSlot) == 1,
                "hostSensitivity (%s) must have speed 1 at the stated %s CPUs and %s GiB",
                levels,
                cpusPerSlot,
                memoryGiBPerSlot);
    }

    /** Returns the maximum speed of all levels. */
    public double maxSpeed() {
        return levels.stream().mapToDouble(HostLevel::speed).max().orElseThrow();
    }
}
