package dev.spur.connectors.engine;

import dev.spur.connectors.ControlLevel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A log that outlives engines, not the test. */
public class MemoryLog implements ActionLog {
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private Standing standing;

    public MemoryLog(ControlLevel controlLevel) {
        standing = new Standing(controlLevel, 0, Optional.empty());
    }

    @Override
    public List<Entry> open() {
        return entries.values().stream()
                .filter(entry -> entry.state() == Entry.State.OPEN)
                .toList();
    }

    @Override
    public Optional<Entry> find(String id) {
        return Optional.ofNullable(entries.get(id));
    }

    @Override
    public Optional<Entry> lastOf(String job) {
        return entries.values().stream()
                .filter(entry -> entry.action().job().equals(job))
                .reduce((earlier, later) -> later);
    }

    @Override
    public void write(Entry entry) {
        if (entry.state() == Entry.State.OPEN && entry.step() == null && entry.failures() == 0) {
            entries.remove(entry.action().id());
        }
        entries.put(entry.action().id(), entry);
    }

    @Override
    public Standing standing() {
        return standing;
    }

    @Override
    public void fare(Standing now) {
        standing = now;
    }

    public void controlLevel(ControlLevel controlLevel) {
        standing = new Standing(controlLevel, 0, Optional.empty());
    }

    public List<Entry> all() {
        return List.copyOf(entries.values());
    }
}
