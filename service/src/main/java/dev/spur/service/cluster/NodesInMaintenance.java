package dev.spur.service.cluster;

import dev.spur.model.cluster.MaintenanceWindow;
import dev.spur.service.database.Rows;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Existing nodes of a maintenance window, as rounds use it. Components as in the contract.
 *
 * @param nodes ids of the nodes, also those of a pool
 */
public record NodesInMaintenance(
        String name,
        List<String> nodes,
        Instant start,
        Instant end,
        double leadSeconds,
        @Nullable Recurrence recurrence) {
    public NodesInMaintenance {
        nodes = List.copyOf(nodes);
    }

    private Optional<Occurrence> at(Instant now) {
        return new CalendarRange(start, end, recurrence).at(now);
    }

    /** Returns the window of the active or next occurrence at {@code now}; empty after the last. */
    public Optional<MaintenanceWindow> windowAt(Instant now) {
        return at(now).map(occurrence -> window(name, occurrence));
    }

    /** Returns the windows of the occurrences after that at {@code now} that begin before {@code until}. */
    Stream<MaintenanceWindow> later(Instant now, Instant until) {
        return new CalendarRange(start, end, recurrence)
                .following(now, until).stream().map(next -> window(name + " " + next.start(), next));
    }

    private MaintenanceWindow window(String named, Occurrence occurrence) {
        return new MaintenanceWindow(
                named, nodes, Rows.seconds(occurrence.start()), Rows.seconds(occurrence.end()), leadSeconds);
    }

    /** Returns the ids of the nodes that are in maintenance at {@code now}. */
    public static Set<String> at(Collection<NodesInMaintenance> windows, Instant now) {
        return windows.stream()
                .filter(window -> window.at(now)
                        .filter(occurrence -> !now.isBefore(occurrence.start()))
                        .isPresent())
                .flatMap(window -> window.nodes().stream())
                .collect(Collectors.toSet());
    }
}
