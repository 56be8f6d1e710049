package dev.spur.service.executor;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Waiting executors whose content has not changed since it was read. A caller that polls again with the content that
 * was last read for it needs no database query.
 */
final class WaiterRegistry {
    private final Set<PollWaiter> waiting = new HashSet<>();
    private final Map<String, ReadVersion> read = new HashMap<>();
    /** Time of the last change for an executor, after the last change for all. */
    private final Map<String, Long> changed = new HashMap<>();

    private long allChanged;
    private long now;

    /** Revision that was read for an executor at a time. */
    private record ReadVersion(long revision, long asOf) {}

    /** Number of waiting executors. */
    synchronized int size() {
        return waiting.size();
    }

    /** Logical time of a read that begins now. */
    synchronized long now() {
        return now;
    }

    /** Records a change for this executor. */
    synchronized void changed(String executor) {
        changed.put(executor, ++now);
    }

    /** Records a possible change for all executors. */
    synchronized void allChanged() {
        allChanged = ++now;
        changed.clear();
    }

    /** Records the revision of a read that began at {@code asOf}. */
    synchronized void read(String executor, long revision, long asOf) {
        ReadVersion last = read.get(executor);
        if (last == null || last.asOf() <= asOf) {
            read.put(executor, new ReadVersion(revision, asOf));
        }
    }

    /** Adds a caller if it has the last read revision and nothing has changed since. Returns true if it was added. */
    synchronized boolean enter(String executor, long known, Supplier<PollWaiter> caller) {
        ReadVersion last = read.get(executor);
        boolean waits = last != null && last.revision() == known && isFresh(executor, last);
        if (waits) {
            waiting.add(caller.get());
        }
        return waits;
    }

    /** Removes a caller. */
    synchronized void leave(PollWaiter caller) {
        waiting.remove(caller);
    }

    /** All waiting executors. */
    synchronized List<PollWaiter> all() {
        return List.copyOf(waiting);
    }

    /** Waiting executors whose content has changed since it was read. */
    synchronized List<PollWaiter> concerned() {
        return waiting.stream()
                .filter(caller -> {
                    ReadVersion last = read.get(caller.executor());
                    return last == null || !isFresh(caller.executor(), last);
                })
                .toList();
    }

    private boolean isFresh(String executor, ReadVersion last) {
        return last.asOf() >= Math.max(allChanged, changed.getOrDefault(executor, 0L));
    }
}
