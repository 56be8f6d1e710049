package dev.spur.service.connector;

import dev.spur.connectors.engine.Limits;
import dev.spur.connectors.slurm.SlurmSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which platforms there are, and how careful connectors are with them.
 *
 * @param lookSeconds time between two looks at a platform
 * @param leaseSeconds after so long without a sign another replica may run a connector; longer than any single call may take
 * @param interruptionsAtOnce most jobs that are interrupted at a time
 * @param keepDays how long actions that ended are kept
 * @param slurm the Slurm cluster
 */
@ConfigurationProperties("spur.connectors")
record ConnectorProperties(
        @DefaultValue("5") double lookSeconds,
        @DefaultValue("120") double leaseSeconds,
        @DefaultValue("4") int interruptionsAtOnce,
        @DefaultValue("30") int keepDays,
        @DefaultValue Slurm slurm) {

    /**
     * A Slurm cluster.
     *
     * @param name name of its connector
     * @param url of slurmrestd; empty for no Slurm
     * @param user in whose name Spur acts
     * @param tokenFile a file with a token of that user; empty to have tokens made by {@code scontrol token}
     * @param scontrol path of the program, or its name
     * @param conf slurm.conf; empty for the one that Slurm finds
     * @param partitions the partitions that become pools
     * @param tenant of jobs that do not name one
     * @param callSeconds how long Slurm may take for a call
     * @param killSeconds how long a job may take to end after it was told to
     * @param restartSeconds time between the end of a job's run and its next start
     * @param limitHours how long jobs without a time limit are taken to run
     */
    record Slurm(
            @DefaultValue("slurm") String name,
            @DefaultValue("") String url,
            @DefaultValue("slurm") String user,
            @DefaultValue("") String tokenFile,
            @DefaultValue("scontrol") String scontrol,
            @DefaultValue("") String conf,
            @DefaultValue List<String> partitions,
            @DefaultValue("root") String tenant,
            @DefaultValue("20") double callSeconds,
            @DefaultValue("60") double killSeconds,
            @DefaultValue("5") double restartSeconds,
            @DefaultValue("24") double limitHours) {

        boolean isThere() {
            return !url.isBlank();
        }

        SlurmSettings settings() {
            return new SlurmSettings(
                    URI.create(url),
                    user,
                    path(tokenFile),
                    scontrol,
                    path(conf),
                    partitions,
                    seconds(callSeconds),
                    seconds(killSeconds),
                    seconds(restartSeconds));
        }

        private static Optional<Path> path(String text) {
            return text.isBlank() ? Optional.empty() : Optional.of(Path.of(text));
        }

        private static Duration seconds(double seconds) {
            return Duration.ofMillis(Math.round(seconds * 1000));
        }
    }

    Limits limits() {
        return new Limits(interruptionsAtOnce, Limits.USUAL.failuresToObserve(), Limits.USUAL.attempts());
    }
}
