package dev.spur.service.executor;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Executors that wait for something else to do, and for whom nothing has changed since it was read. Whoever asks again
 * with what was read for it last needs no look into the database.
 */
final class WaiterRegistry {
    private final Set<PollWaiter> waiting = new HashSet<>();
    private final Map<String, ReadVersion> read = new HashMap<>();
    /** When something has changed for an executor, after the last change for all. */
    private final Map<String, Long> changed = new HashMap<>();

    private long allChanged;
    private long now;

    /** What was read for an executor, as of a moment. */
    private record ReadVersion(long revision, long asOf) {}

    /** How many wait. */
    synchronized int size() {
        return waiting.size();
    }

    /** The moment, for a read that begins now. */
    synchronized long now() {
        return now;
    }

    /** Something has changed for this executor. */
    synchronized void changed(String executor) {
        changed.put(executor, ++now);
    }

    /** Something may have changed for each of them. */
    synchronized void allChanged() {
        allChanged = ++now;
        changed.clear();
    }

    /** What was read for an executor by a read that began at {@code asOf}. */
    synchronized void read(String executor, long revision, long asOf) {
        ReadVersion last = read.get(executor);
        if (last == null || last.asOf() <= asOf) {
            read.put(executor, new ReadVersion(revision, asOf));
        }
    }

    /** Takes a caller in if what it knows is what was read last and nothing has changed since. Returns true if so. */
    synchronized boolean enter(String executor, long known, Supplier<PollWaiter> caller) {
        ReadVersion last = read.get(executor);
        boolean waits = last != null && last.revision() == known && isFresh(executor, last);
        if (waits) {
            waiting.add(caller.get());
        }
        return waits;
    }

    /** Lets a caller go. */
    synchronized void leave(PollWaiter caller) {
        waiting.remove(caller);
    }

    /** All who wait. */
    synchronized List<PollWaiter> all() {
        return List.copyOf(waiting);
    }

    /** Those for whom something has changed since it was read. */
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
