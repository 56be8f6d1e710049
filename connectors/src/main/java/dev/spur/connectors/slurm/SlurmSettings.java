package dev.spur.connectors.slurm;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How to reach a Slurm cluster.
 *
 * @param url of slurmrestd
 * @param user in whose name Spur acts: SlurmUser, root or an operator
 * @param tokenFile a file with a token of that user, read again for each call; empty to have tokens made by
 *     {@code scontrol token}
 * @param scontrol path of the program, or its name
 * @param conf slurm.conf; empty for the one that Slurm finds by itself
 * @param partitions the partitions that become pools; a node in several of them is in the first
 * @param timeout how long Slurm may take for a call, to the end of the answer
 * @param killWait how long a job may take to end after it was told to
 * @param restart time between the end of a job's run and its next start; more than the clocks of the cluster differ, at
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
            throw new IllegalArgumentException("partitions must name at least one");
        }
        if (restart.toSeconds() < 2) {
            throw new IllegalArgumentException("restart (%s) must be at least 2 s".formatted(restart));
        }
        if (user.isBlank()) {
            throw new IllegalArgumentException("user must not be blank");
        }
    }
}
