package dev.spur.service.connectors;

import dev.spur.connectors.DesiredAggregator;
import dev.spur.connectors.reconcile.ActionLog;
import dev.spur.connectors.reconcile.ActionRecord;
import dev.spur.connectors.reconcile.AggregatorLedger;
import dev.spur.model.Seconds;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Action log and aggregator ledger of one connector in the database. It rejects access once another replica runs the
 * connector.
 */
final class ConnectorLog implements ActionLog, AggregatorLedger {
    private final String connector;
    private final String holder;
    private final Duration lease;
    private final ConnectorStore connectors;
    private final ConnectorActionStore actions;
    private final PlatformAggregatorStore aggregators;

    ConnectorLog(
            String connector,
            String holder,
            Duration lease,
            ConnectorStore connectors,
            ConnectorActionStore actions,
            PlatformAggregatorStore aggregators) {
        this.connector = connector;
        this.holder = holder;
        this.lease = lease;
        this.connectors = connectors;
        this.actions = actions;
        this.aggregators = aggregators;
    }

    /** Another replica holds the lease of the connector. */
    static final class LeaseLost extends RuntimeException {
        private static final long serialVersionUID = 1;

        LeaseLost(String connector) {
            super("another replica runs connector " + connector);
        }
    }

    @Override
    public List<ActionRecord> open() {
        return actions.open(connector);
    }

    @Override
    public Optional<ActionRecord> find(String id) {
        return actions.find(connector, id);
    }

    @Override
    public Optional<ActionRecord> lastOf(String job) {
        return actions.lastOf(connector, job);
    }

    @Override
    public void write(ActionRecord entry) {
        keep();
        actions.write(connector, entry);
    }

    /** Checked before each step on the platform: the lease outlives any single step. */
    @Override
    public ConnectorStatus status() {
        keep();
        ConnectorStore.Row row = connectors.find(connector).orElseThrow();
        return new ConnectorStatus(row.controlLevel(), row.failures(), Optional.ofNullable(row.circuitOpenReason()));
    }

    @Override
    public void write(ConnectorStatus status) {
        connectors.writeStatus(
                connector, status.failures(), status.circuitOpenReason().orElse(null));
    }

    @Override
    public List<Line> lines() {
        return aggregators.of(connector).stream()
                .map(PlatformAggregatorStore.Row::line)
                .toList();
    }

    @Override
    public Line add(DesiredAggregator want) {
        keep();
        return aggregators.add(connector, want);
    }

    @Override
    public void write(Line line) {
        keep();
        aggregators.write(line);
    }

    @Override
    public void delete(Line line) {
        keep();
        aggregators.delete(line.mark());
    }

    private void keep() {
        if (!connectors.hold(connector, holder, Seconds.of(lease))) {
            throw new LeaseLost(connector);
        }
    }
}
