package dev.spur.service.connector;

import dev.spur.connectors.Mode;
import dev.spur.connectors.Platform;
import dev.spur.connectors.engine.Engine;
import dev.spur.connectors.slurm.SlurmPlatform;
import dev.spur.connectors.slurm.SlurmSettings;
import dev.spur.service.StartupFailure;
import dev.spur.service.store.ConnectorActionStore;
import dev.spur.service.store.ConnectorStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Runs the connector that is configured, on the one replica that holds its lease. Nothing that a look does can end the loop. */
@Component
class ConnectorLoop implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectorLoop.class);
    private static final long STOP_SECONDS = 10;

    private final ConnectorRun run;
    private final ConnectorStore connectors;
    private final ConnectorActionStore actions;
    private final ConnectorProperties properties;
    private final String holder = ManagementFactory.getRuntimeMXBean().getName() + "/"
            + UUID.randomUUID().toString().substring(0, 8);
    private @Nullable Thread thread;
    private volatile boolean running;
    private String lastTrouble = "";

    ConnectorLoop(
            ConnectorRun run, ConnectorStore connectors, ConnectorActionStore actions, ConnectorProperties properties) {
        this.run = run;
        this.connectors = connectors;
        this.actions = actions;
        this.properties = properties;
    }

    @Override
    public void start() {
        running = true;
        if (properties.slurm().isThere()) {
            Platform platform = new SlurmPlatform(settings(), Clock.systemUTC());
            connectors.enter(properties.slurm().name(), "SLURM", Mode.OBSERVE);
            thread = new Thread(() -> loop(platform), "spur-connector");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private SlurmSettings settings() {
        try {
            return properties.slurm().settings();
        } catch (IllegalArgumentException wrong) {
            throw new StartupFailure("The settings spur.connectors.slurm are wrong: " + wrong.getMessage(), wrong);
        }
    }

    /** Abandons what runs: the next look, here or elsewhere, goes on with it. */
    @Override
    public void stop() {
        running = false;
        Thread stopping = thread;
        if (stopping == null) {
            return;
        }
        stopping.interrupt();
        try {
            stopping.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
            connectors.release(properties.slurm().name(), holder);
        } catch (InterruptedException impatient) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException away) {
            LOG.info("the lease of the connector could not be given back and will run out: {}", away.getMessage());
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    private void loop(Platform platform) {
        ConnectorProperties.Slurm slurm = properties.slurm();
        ConnectorLog log = new ConnectorLog(slurm.name(), holder, properties.leaseSeconds(), connectors, actions);
        Engine engine = new Engine(platform, log, properties.limits(), Clock.systemUTC());
        Translation translation = new Translation(
                slurm.name(), slurm.tenant(), slurm.limitHours() * 3600, slurm.killSeconds() + slurm.restartSeconds());
        while (running) {
            try {
                if (connectors.hold(slurm.name(), holder, properties.leaseSeconds())) {
                    look(slurm.name(), engine, translation);
                }
                TimeUnit.MILLISECONDS.sleep((long) (properties.lookSeconds() * 1000));
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException away) {
                trouble("a look of connector %s was given up: %s".formatted(slurm.name(), away), away);
                pause();
            }
        }
    }

    private void look(String connector, Engine engine, Translation translation) throws InterruptedException {
        try {
            run.look(connector, engine, translation);
            actions.forget(connector, properties.keepDays());
            lastTrouble = "";
        } catch (IOException away) {
            String why = String.valueOf(away.getMessage());
            connectors.failed(connector, why);
            trouble("connector %s: %s".formatted(connector, why), null);
        }
    }

    /** The same trouble is told once. */
    private void trouble(String what, @Nullable Throwable cause) {
        if (!what.equals(lastTrouble)) {
            lastTrouble = what;
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
