package dev.spur.connectors.slurm;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Connection settings of a Slurm cluster.
 *
 * @param url URL of slurmrestd
 * @param user user of Spur: SlurmUser, root or an operator
 * @param tokenFile file with a token of that user, read at each call; empty if {@code scontrol token} creates the
 *     tokens
 * @param scontrol path or name of the program
 * @param conf path of slurm.conf; empty for Slurm's default
 * @param partitions managed partitions, which become pools; a node in several of them belongs to the first
 * @param timeout time limit of a call, including the response body
 * @param killWait time within which a job must end after a stop request
 * @param restart time between the end of a run and the next start of the job; above the clock skew of the cluster, at
 *     least 2 s
 */
public record SlurmSettings(
        URI url,
        String user,
        Optional<Path> tokenFile,
        String scontrol,
        Optional<Path> conf,
        List<String> partitions,
        Duration timeout,
        Duration killWait,
        Duration restart) {
    public SlurmSettings {
        partitions = List.copyOf(partitions);
        if (partitions.isEmpty()) {
            throw new IllegalArgumentException("partitions must not be empty");
        }
        if (restart.toSeconds() < 2) {
            throw new IllegalArgumentException("restart (%s) must be at least 2 s".formatted(restart));
        }
        if (user.isBlank()) {
            throw new IllegalArgumentException("user must not be blank");
        }
    }
}
