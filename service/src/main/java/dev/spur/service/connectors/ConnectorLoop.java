package dev.spur.service.connectors;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.PlatformText;
import dev.spur.connectors.reconcile.AggregatorReconciler;
import dev.spur.connectors.reconcile.PlatformReconciler;
import dev.spur.model.Seconds;
import dev.spur.service.database.DaemonThreads;
import dev.spur.service.startup.StartupFailure;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/** Loop of one connector, on the replica that holds its lease. An error in a synchronization never ends the loop. */
final class ConnectorLoop {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectorLoop.class);
    private static final long STOP_SECONDS = 10;

    private final PlatformConnection connection;
    private final ConnectorSync run;
    private final ConnectorStore connectors;
    private final ConnectorActionStore actions;
    private final PlatformAggregatorStore aggregators;
    private final ConnectorProperties properties;
    private final String holder = ManagementFactory.getRuntimeMXBean().getName() + "/"
            + UUID.randomUUID().toString().substring(0, 8);
    private @Nullable Thread thread;
    private volatile boolean running;
    private String lastError = "";

    ConnectorLoop(
            PlatformConnection connection,
            ConnectorSync run,
            ConnectorStore connectors,
            ConnectorActionStore actions,
            PlatformAggregatorStore aggregators,
            ConnectorProperties properties) {
        this.connection = connection;
        this.run = run;
        this.connectors = connectors;
        this.actions = actions;
        this.aggregators = aggregators;
        this.properties = properties;
    }

    void start() {
        connectors.enter(connection.name(), connection.kind(), ControlLevel.OBSERVE);
        String kind = connectors.find(connection.name()).orElseThrow().kind();
        if (!kind.equals(connection.kind())) {
            throw new StartupFailure("The connector %s has been one of kind %s. Give the one of kind %s another name."
                    .formatted(connection.name(), kind, connection.kind()));
        }
        running = true;
        thread = DaemonThreads.thread("spur-connector-" + connection.name(), this::loop);
        thread.start();
    }

    /** Stops the loop. It aborts the synchronization in progress; the next one, on any replica, continues. */
    void halt() {
        running = false;
        if (thread != null) {
            thread.interrupt();
        }
    }

    /** Stops the loop and releases the lease, so that another replica can run the connector at once. */
    void stop() {
        halt();
        Thread stopping = thread;
        if (stopping == null) {
            return;
        }
        try {
            stopping.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
            connectors.release(connection.name(), holder);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException away) {
            LOG.info(
                    "the lease of connector {} could not be given back and will run out: {}",
                    connection.name(),
                    away.getMessage());
        }
    }

    private void loop() {
        String name = connection.name();
        ConnectorLog log = new ConnectorLog(name, holder, properties.lease(), connectors, actions, aggregators);
        PlatformReconciler engine =
                new PlatformReconciler(connection.platform(), log, properties.limits(), Clock.systemUTC());
        Optional<AggregatorReconciler> keeper = connection
                .platform()
                .aggregatorHost()
                .map(host -> new AggregatorReconciler(host, log, log, properties.limits(), Clock.systemUTC()));
        while (running) {
            try {
                if (connectors.hold(name, holder, Seconds.of(properties.lease()))) {
                    look(name, engine, keeper);
                }
                TimeUnit.MILLISECONDS.sleep(properties.syncInterval().toMillis());
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException away) {
                lastSyncError(
                        "synchronization of connector %s was aborted: %s"
                                .formatted(name, PlatformText.clean(away.toString())),
                        away);
                pause();
            }
        }
    }

    private void look(String connector, PlatformReconciler engine, Optional<AggregatorReconciler> keeper)
            throws InterruptedException {
        try {
            run.look(connector, engine, keeper, connection.translation());
            lastError = "";
        } catch (IOException away) {
            String why = PlatformText.clean(away.getMessage());
            connectors.recordFailure(connector, why);
            lastSyncError("connector %s: %s".formatted(connector, why), null);
        } catch (JacksonException | IllegalArgumentException | ClassCastException notAsDocumented) {
            String why = PlatformText.clean("an answer is not as documented: " + notAsDocumented.getMessage());
            connectors.recordFailure(connector, why);
            lastSyncError("connector %s: %s".formatted(connector, why), notAsDocumented);
        }
    }

    /** Reports an error; the same error is reported once. */
    private void lastSyncError(String what, @Nullable Throwable cause) {
        if (!what.equals(lastError)) {
            lastError = what;
            LOG.warn(what, cause);
        }
    }

    private void pause() {
        try {
            TimeUnit.SECONDS.sleep(1);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
