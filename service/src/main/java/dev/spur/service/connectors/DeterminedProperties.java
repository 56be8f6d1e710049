package dev.spur.service.connectors;

import dev.spur.connectors.determined.AggregatorProgram;
import dev.spur.connectors.determined.DeterminedPlatform;
import dev.spur.connectors.determined.DeterminedSettings;
import dev.spur.model.Seconds;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A Determined cluster.
 *
 * @param url URL of its master; empty for no Determined
 * @param name name of its connector
 * @param user user that Spur acts as
 * @param passwordFile a file with the password of that user
 * @param tokenFile a file with an access token, instead of a password
 * @param pools scheduled resource pools
 * @param tenant tenant of jobs that do not state one
 * @param callTimeout time limit of a call to the master
 * @param stopTimeout time limit of a job to write a checkpoint and end after a stop request
 * @param restartCost time that a restart costs a job
 * @param assumedDuration assumed run time of jobs without stated work
 * @param aggregators aggregators on the platform
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
        @DefaultValue("20s") Duration callTimeout,
        @DefaultValue("10m") Duration stopTimeout,
        @DefaultValue("60s") Duration restartCost,
        @DefaultValue("24h") Duration assumedDuration,
        @DefaultValue Aggregators aggregators)
        implements PlatformKind {

    /**
     * Commands without slots that sum gradients.
     *
     * @param service where containers reach this service; empty for no aggregators
     * @param image their image; empty for the one that Determined uses for tasks without slots
     * @param entrypoint what starts Spur's aggregator there, without options
     * @param pool their resource pool; empty for the pool of the jobs
     */
    record Aggregators(
            @DefaultValue("") String service,
            @DefaultValue("") String image,

            @DefaultValue({"java", "-jar", "/opt/spur/spur-agent.jar", "aggregator"})
            List<String> entrypoint,

            @DefaultValue("") String pool) {
        /** No aggregators. */
        static final Aggregators NONE = new Aggregators("", "", List.of(), "");

        private Optional<AggregatorProgram> program() {
            return text(service)
                    .map(where -> new AggregatorProgram(text(image), entrypoint, URI.create(where), text(pool)));
        }

        private static Optional<String> text(String setting) {
            return setting.isBlank() ? Optional.empty() : Optional.of(setting);
        }
    }

    @Override
    public String kind() {
        return "DETERMINED";
    }

    @Override
    public List<PlatformConnection> connections() {
        if (url.isBlank()) {
            return List.of();
        }
        DeterminedSettings settings = new DeterminedSettings(
                URI.create(url),
                user,
                PlatformKind.path(passwordFile),
                PlatformKind.path(tokenFile),
                pools,
                callTimeout,
                stopTimeout,
                aggregators.program());
        return List.of(new PlatformConnection(
                name,
                kind(),
                new DeterminedPlatform(settings, Clock.systemUTC()),
                new JobTranslator(
                        name,
                        tenant,
                        Seconds.of(assumedDuration),
                        Seconds.of(restartCost),
                        settings.aggregators().isPresent())));
    }
}
