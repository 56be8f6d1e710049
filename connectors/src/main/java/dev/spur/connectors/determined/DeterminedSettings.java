package dev.spur.connectors.determined;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How to reach a Determined cluster.
 *
 * @param url of the master
 * @param user in whose name Spur acts: one that sees the tasks and may change the experiments of all users
 * @param passwordFile a file with the password of that user, read again for each login
 * @param tokenFile a file with an access token of that user, read again for each call, in place of a password
 * @param pools the resource pools that are planned
 * @param timeout how long the master may take for a call, to the end of the answer
 * @param stopWait how long a job may take to write a checkpoint and end after it was told to
 * @param aggregators what sums gradients; empty if nothing does
 */
public record DeterminedSettings(
        URI url,
        String user,
        Optional<Path> passwordFile,
        Optional<Path> tokenFile,
        List<String> pools,
        Duration timeout,
        Duration stopWait,
        Optional<AggregatorProgram> aggregators) {
    public DeterminedSettings {
        pools = List.copyOf(pools);
        if (url.getHost() == null) {
            throw new IllegalArgumentException("url (%s) must name a host".formatted(url));
        }
        if (pools.isEmpty()) {
            throw new IllegalArgumentException("pools must name at least one");
        }
        if (passwordFile.isPresent() == tokenFile.isPresent()) {
            throw new IllegalArgumentException("one of passwordFile and tokenFile must be given, and not both");
        }
        if (passwordFile.isPresent() && user.isBlank()) {
            throw new IllegalArgumentException("user must not be blank");
        }
    }
}
