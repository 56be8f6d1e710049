package dev.spur.connectors.reconcile;

import dev.spur.connectors.DesiredAggregator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A ledger that outlives keepers, not the test. */
public class InMemoryAggregatorLedger implements AggregatorLedger {
    private final Map<String, Line> lines = new LinkedHashMap<>();
    private int entered;

    @Override
    public List<Line> lines() {
        return List.copyOf(lines.values());
    }

    @Override
    public Line add(DesiredAggregator want) {
        entered++;
        Line line = Line.create(new UUID(7, entered).toString(), want, new UUID(8, entered).toString());
        lines.put(line.mark(), line);
        return line;
    }

    @Override
    public void write(Line line) {
        lines.replace(line.mark(), line);
    }

    @Override
    public void delete(Line line) {
        lines.remove(line.mark());
    }
}
