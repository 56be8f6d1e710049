package dev.spur.service.connector;

import dev.spur.connectors.DesiredAggregator;
import dev.spur.connectors.reconcile.ActionLog;
import dev.spur.connectors.reconcile.AggregatorLedger;
import dev.spur.service.aggregation.PlatformAggregatorStore;
import java.util.List;

/**
 * Ledger of the aggregators of one connector in the database. It rejects writes once another replica runs the
 * connector.
 */
final class DatabaseAggregatorLedger implements AggregatorLedger {
    private final String connector;
    private final ActionLog log;
    private final PlatformAggregatorStore store;

    /** @param log rejects access once another replica runs the connector */
    DatabaseAggregatorLedger(String connector, ActionLog log, PlatformAggregatorStore store) {
        this.connector = connector;
        this.log = log;
        this.store = store;
    }

    @Override
    public List<Line> lines() {
        return store.of(connector).stream()
                .map(PlatformAggregatorStore.Row::line)
                .toList();
    }

    @Override
    public Line add(DesiredAggregator want) {
        log.status();
        return store.add(connector, want);
    }

    @Override
    public void write(Line line) {
        log.status();
        store.write(line);
    }

    @Override
    public void delete(Line line) {
        log.status();
        store.delete(line.mark());
    }
}
