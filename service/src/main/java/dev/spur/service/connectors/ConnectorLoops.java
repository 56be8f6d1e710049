package dev.spur.service.connectors;

import java.util.List;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Loops of all configured connectors. No loop waits for the platform of another one. */
@Component
class ConnectorLoops {
    private final List<ConnectorLoop> loops;

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

    @EventListener(ContextRefreshedEvent.class)
    void start() {
        loops.forEach(ConnectorLoop::start);
    }

    @EventListener(ContextClosedEvent.class)
    void stop() {
        loops.forEach(ConnectorLoop::halt);
        loops.forEach(ConnectorLoop::stop);
    }
}
