package dev.spur.service.connectors;

import dev.spur.connectors.slurm.SlurmPlatform;
import dev.spur.connectors.slurm.SlurmSettings;
import dev.spur.model.Seconds;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A Slurm cluster.
 *
 * @param url URL of slurmrestd; empty for no Slurm
 * @param name name of its connector
 * @param user user that Spur acts as
 * @param tokenFile a file with a token of that user; empty to create tokens by {@code scontrol token}
 * @param scontrol path of the program, or its name
 * @param conf slurm.conf; empty for the one that Slurm finds
 * @param partitions the partitions that become pools
 * @param tenant tenant of jobs that do not state one
 * @param callTimeout time limit of a call to Slurm
 * @param killTimeout time limit of a job to end after a stop request
 * @param restartDelay time between the end of a job's run and its next start
 * @param assumedDuration assumed run time of jobs without a time limit
 */
@ConfigurationProperties("spur.connectors.slurm")
record SlurmProperties(
        @DefaultValue("") String url,
        @DefaultValue("slurm") String name,
        @DefaultValue("slurm") String user,
        @DefaultValue("") String tokenFile,
        @DefaultValue("scontrol") String scontrol,
        @DefaultValue("") String conf,
        @DefaultValue List<String> partitions,
        @DefaultValue("root") String tenant,
        @DefaultValue("20s") Duration callTimeout,
        @DefaultValue("60s") Duration killTimeout,
        @DefaultValue("5s") Duration restartDelay,
        @DefaultValue("24h") Duration assumedDuration)
        implements PlatformKind {

    @Override
    public String kind() {
        return "SLURM";
    }

    @Override
    public List<PlatformConnection> connections() {
        if (url.isBlank()) {
            return List.of();
        }
        JobTranslator translation = new JobTranslator(
                name, tenant, Seconds.of(assumedDuration), Seconds.of(killTimeout.plus(restartDelay)));
        return List.of(
                new PlatformConnection(name, kind(), new SlurmPlatform(settings(), Clock.systemUTC()), translation));
    }

    private SlurmSettings settings() {
        return new SlurmSettings(
                URI.create(url),
                user,
                PlatformKind.path(tokenFile),
                scontrol,
                PlatformKind.path(conf),
                partitions,
                callTimeout,
                killTimeout,
                restartDelay);
    }
}
