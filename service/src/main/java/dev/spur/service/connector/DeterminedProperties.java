package dev.spur.service.connector;

import dev.spur.connectors.determined.DeterminedPlatform;
import dev.spur.connectors.determined.DeterminedSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A Determined cluster.
 *
 * @param url of its master; empty for no Determined
 * @param name name of its connector
 * @param user in whose name Spur acts
 * @param passwordFile a file with the password of that user
 * @param tokenFile a file with an access token, in place of a password
 * @param pools the resource pools that are planned
 * @param tenant of jobs that do not name one
 * @param callSeconds how long the master may take for a call
 * @param stopSeconds how long a job may take to write a checkpoint and end after it was told to
 * @param restartSeconds what a job loses when it is stopped and started again
 * @param limitHours how long jobs that say nothing of their work are taken to run
 */
@ConfigurationProperties("spur.connectors.determined")
record DeterminedProperties(
        @DefaultValue("") String url,
        @DefaultValue("determined") String name,
        @DefaultValue("spur") String user,
        @DefaultValue("") String passwordFile,
        @DefaultValue("") String tokenFile,
        @DefaultValue List<String> pools,
        @DefaultValue("root") String tenant,
        @DefaultValue("20") double callSeconds,
        @DefaultValue("600") double stopSeconds,
        @DefaultValue("60") double restartSeconds,
        @DefaultValue("24") double limitHours)
        implements PlatformKind {

    @Override
    public String kind() {
        return "DETERMINED";
    }

    @Override
    public String prefix() {
        return "spur.connectors.determined";
    }

    @Override
    public List<Connection> connections() {
        if (url.isBlank()) {
            return List.of();
        }
        DeterminedSettings settings = new DeterminedSettings(
                URI.create(url),
                user,
                path(passwordFile),
                path(tokenFile),
                pools,
                ConnectorProperties.seconds(callSeconds),
                ConnectorProperties.seconds(stopSeconds));
        return List.of(new Connection(
                name,
                kind(),
                new DeterminedPlatform(settings, Clock.systemUTC()),
                new Translation(name, tenant, limitHours * 3600, restartSeconds)));
    }

    private static Optional<Path> path(String text) {
        return text.isBlank() ? Optional.empty() : Optional.of(Path.of(text));
    }
}
