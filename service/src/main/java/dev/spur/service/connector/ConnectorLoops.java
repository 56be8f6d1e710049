package dev.spur.service.connector;

import dev.spur.service.aggregation.PlatformAggregatorStore;
import java.util.List;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Loops of all configured connectors. No loop waits for the platform of another one. */
@Component
class ConnectorLoops implements SmartLifecycle {
    private final List<ConnectorLoop> loops;
    private volatile boolean running;

    ConnectorLoops(
            PlatformConnections connections,
            ConnectorSync run,
            ConnectorStore connectors,
            ConnectorActionStore actions,
            PlatformAggregatorStore aggregators,
            ConnectorProperties properties) {
        loops = connections.all().stream()
                .map(connection -> new ConnectorLoop(connection, run, connectors, actions, aggregators, properties))
                .toList();
    }

    @Override
    public void start() {
        running = true;
        loops.forEach(ConnectorLoop::start);
    }

    @Override
    public void stop() {
        running = false;
        loops.forEach(ConnectorLoop::halt);
        loops.forEach(ConnectorLoop::stop);
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
