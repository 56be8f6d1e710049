package dev.spur.service.cluster;

import java.time.Instant;

/**
 * One time of a reservation or maintenance window that repeats.
 *
 * @param start inclusive
 * @param end exclusive
 */
public record Occurrence(Instant start, Instant end) {
    boolean overlaps(Occurrence other) {
        return start.isBefore(other.end) && other.start.isBefore(end);
    }
}
