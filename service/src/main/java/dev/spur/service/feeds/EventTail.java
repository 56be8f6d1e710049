package dev.spur.service.feeds;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The newest events of the log, which the streams of a replica share. Events before {@code start} are read from the
 * database.
 */
final class EventTail {
    private static final int CAPACITY = 2000;
    private static final int MAX_BATCH = 500;

    private final EventStore store;
    private final NavigableMap<EventPosition, ClusterEvent> events = new ConcurrentSkipListMap<>();
    private volatile EventPosition start;
    private volatile EventPosition end;

    EventTail(EventStore store) {
        this.store = store;
        this.start = store.end();
        this.end = start;
    }

    /**
     * Reads the events that were added. Must not be called concurrently.
     *
     * @return true if there may be further events: another part, or those of a transaction that still runs
     */
    boolean extend() {
        EventStore.Part part = store.after(end, MAX_BATCH);
        part.events().forEach(event -> events.put(event.position(), event));
        if (!part.events().isEmpty()) {
            end = part.events().get(part.events().size() - 1).position();
        }
        while (events.size() > CAPACITY) {
            Map.Entry<EventPosition, ClusterEvent> oldest = events.firstEntry();
            start = oldest.getKey();
            events.remove(oldest.getKey());
        }
        return part.waiting() || part.events().size() == MAX_BATCH;
    }

    /** Returns the first events after a position; empty if the log has no more. */
    List<ClusterEvent> after(EventPosition position) {
        if (position.compareTo(start) < 0) {
            return store.after(position, MAX_BATCH).events();
        }
        List<ClusterEvent> found = events.tailMap(position, false).values().stream()
                .limit(MAX_BATCH)
                .toList();
        // events may have been removed after the comparison
        return position.compareTo(start) < 0 ? store.after(position, MAX_BATCH).events() : found;
    }

    /** The position of the newest event that was read. */
    EventPosition end() {
        return end;
    }
}
