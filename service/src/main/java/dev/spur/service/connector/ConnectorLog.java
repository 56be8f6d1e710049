package dev.spur.service.connector;

import dev.spur.connectors.engine.ActionLog;
import dev.spur.connectors.engine.Entry;
import dev.spur.service.store.ConnectorActionStore;
import dev.spur.service.store.ConnectorStore;
import java.util.List;
import java.util.Optional;

/** The log of one connector in the database. Nothing is read or written of it once another replica runs the connector. */
final class ConnectorLog implements ActionLog {
    private final String connector;
    private final String holder;
    private final double leaseSeconds;
    private final ConnectorStore connectors;
    private final ConnectorActionStore actions;

    ConnectorLog(
            String connector,
            String holder,
            double leaseSeconds,
            ConnectorStore connectors,
            ConnectorActionStore actions) {
        this.connector = connector;
        this.holder = holder;
        this.leaseSeconds = leaseSeconds;
        this.connectors = connectors;
        this.actions = actions;
    }

    /** Another replica runs the connector now. */
    static final class LeaseLost extends RuntimeException {
        private static final long serialVersionUID = 1;

        LeaseLost(String connector) {
            super("another replica runs connector " + connector);
        }
    }

    @Override
    public List<Entry> open() {
        return actions.open(connector);
    }

    @Override
    public Optional<Entry> find(String id) {
        return actions.find(connector, id);
    }

    @Override
    public Optional<Entry> lastOf(String job) {
        return actions.lastOf(connector, job);
    }

    @Override
    public void write(Entry entry) {
        keep();
        actions.write(connector, entry);
    }

    /** Asked before each step on the platform: the lease outlives any single one. */
    @Override
    public Standing standing() {
        keep();
        ConnectorStore.Row row = connectors.find(connector).orElseThrow();
        return new Standing(row.controlLevel(), row.failures(), Optional.ofNullable(row.circuitOpenReason()));
    }

    @Override
    public void fare(Standing standing) {
        connectors.fare(
                connector, standing.failures(), standing.circuitOpenReason().orElse(null));
    }

    private void keep() {
        if (!connectors.hold(connector, holder, leaseSeconds)) {
            throw new LeaseLost(connector);
        }
    }
}
