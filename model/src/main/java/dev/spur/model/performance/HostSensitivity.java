package dev.spur.model.performance;

import dev.spur.model.Checks;
import java.util.List;

/**
 * How the speed of a job depends on host CPU and memory: the levels at which it was measured, which are those that may
 * be granted. More of both is never slower. Source of the form: Mohan et al., Synergy, OSDI '22.
 *
 * @param levels 1 to {@value #MOST_LEVELS} levels, in any order; no two with the same CPUs and memory
 */
public record HostSensitivity(List<HostLevel> levels) {
    /** Most levels. */
    public static final int MOST_LEVELS = 64;

    public HostSensitivity {
        levels = Checks.copy(levels);
        Checks.require(
                !levels.isEmpty() && levels.size() <= MOST_LEVELS,
                "levels (%s) must be from 1 to %s",
                levels.size(),
                MOST_LEVELS);
        for (HostLevel level : levels) {
            for (HostLevel other : levels) {
                boolean isFine = level.equals(other) || !level.covers(other) || level.speed() >= other.speed();
                boolean isTwice = !level.equals(other) && level.covers(other) && other.covers(level);
                Checks.require(!isTwice, "level %s and level %s are the same host", level, other);
                Checks.require(isFine, "level %s is slower than %s, which has no more of the host", level, other);
            }
        }
        Checks.require(levels.stream().distinct().count() == levels.size(), "levels (%s) must be unique", levels);
    }

    /**
     * Throughput with exactly so much of the host for each slot, relative to that with the stated demand; 0 if it is no
     * level.
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
     * @throws IllegalArgumentException if the speed with so much of the host for each slot, which a job states, is not
     *     1
     */
    public void requireOneAt(double cpusPerSlot, double memoryGiBPerSlot) {
        Checks.require(
                speed(cpusPerSlot, memoryGiBPerSlot) == 1,
                "levels (%s) must have speed 1 at the stated %s CPUs and %s GiB",
                levels,
                cpusPerSlot,
                memoryGiBPerSlot);
    }

    /** The highest speed of a level. */
    public double mostSpeed() {
        return levels.stream().mapToDouble(HostLevel::speed).max().orElseThrow();
    }
}
