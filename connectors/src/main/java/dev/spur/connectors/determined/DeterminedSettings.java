package dev.spur.connectors.determined;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Connection settings of a Determined cluster.
 *
 * @param url URL of the master
 * @param user user of Spur; must be able to list tasks and change the experiments of all users
 * @param passwordFile file with the user's password, read at each login
 * @param tokenFile file with an access token of the user, read at each call, instead of a password
 * @param pools resource pools that Spur manages
 * @param timeout time limit of a call to the master, including the response body
 * @param stopWait time within which a job must write a checkpoint and end after a stop request
 * @param aggregators program of the gradient aggregators; empty if Spur runs none
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
            throw new IllegalArgumentException("url (%s) must contain a host".formatted(url));
        }
        if (pools.isEmpty()) {
            throw new IllegalArgumentException("pools must not be empty");
        }
        if (passwordFile.isPresent() == tokenFile.isPresent()) {
            throw new IllegalArgumentException("exactly one of passwordFile and tokenFile must be set");
        }
        if (passwordFile.isPresent() && user.isBlank()) {
            throw new IllegalArgumentException("user must not be blank");
        }
    }
}
