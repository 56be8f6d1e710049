package dev.spur.connectors.reconcile;

import dev.spur.connectors.ControlLevel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A log that outlives engines, not the test. */
public class InMemoryActionLog implements ActionLog {
    private final Map<String, ActionRecord> entries = new LinkedHashMap<>();
    private ConnectorStatus standing;

    public InMemoryActionLog(ControlLevel controlLevel) {
        standing = new ConnectorStatus(controlLevel, 0, Optional.empty());
    }

    @Override
    public List<ActionRecord> open() {
        return entries.values().stream()
                .filter(entry -> entry.state() == ActionRecord.State.OPEN)
                .toList();
    }

    @Override
    public Optional<ActionRecord> find(String id) {
        return Optional.ofNullable(entries.get(id));
    }

    @Override
    public Optional<ActionRecord> lastOf(String job) {
        return entries.values().stream()
                .filter(entry -> entry.action().job().equals(job))
                .reduce((earlier, later) -> later);
    }

    @Override
    public void write(ActionRecord entry) {
        if (entry.state() == ActionRecord.State.OPEN && entry.step() == null && entry.failures() == 0) {
            entries.remove(entry.action().id());
        }
        entries.put(entry.action().id(), entry);
    }

    @Override
    public ConnectorStatus status() {
        return standing;
    }

    @Override
    public void write(ConnectorStatus now) {
        standing = now;
    }

    public void controlLevel(ControlLevel controlLevel) {
        standing = new ConnectorStatus(controlLevel, 0, Optional.empty());
    }

    public List<ActionRecord> all() {
        return List.copyOf(entries.values());
    }
}
