package dev.spur.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * File with the expiry of the node's lease. The guards of all jobs watch it and end their jobs when the lease has
 * expired, with or without the agent.
 *
 * <p>A renewal overwrites the bytes of the file, so that it also succeeds on a full disk. The line states the expiry
 * twice: a reader that meets a renewal finds two different words, and reads again later.
 */
public final class LeaseFile {
    private static final String NONE = "0 0";

    private final StateDirectory state;
    private boolean readable;

    public LeaseFile(StateDirectory state) {
        this.state = state;
    }

    /** Renews the lease by {@code ttl} from {@code uptimeAtRequest}, the time of the successful request. */
    public void renew(double uptimeAtRequest, Duration ttl) {
        long until = (long) uptimeAtRequest + ttl.toSeconds();
        try {
            Files.writeString(
                    state.lease(),
                    "%1$012d %1$012d\n".formatted(until),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            if (!readable) {
                // jobs of other users read it, whatever the mask of the agent
                Files.setPosixFilePermissions(state.lease(), SmallFile.SHARED);
                readable = true;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the seconds since the machine started, which is the clock of leases. Must be read before the request that
     * renews the lease.
     */
    public static double uptime() {
        return Uptime.seconds();
    }

    /** Returns the remaining seconds; 0 if the lease has expired or was never granted. */
    public double secondsLeft() {
        while (true) {
            String[] words = SmallFile.read(state.lease()).orElse(NONE).split(" ", 2);
            if (words.length == 2 && words[0].equals(words[1])) {
                return Math.max(0, Double.parseDouble(words[0]) - Uptime.seconds());
            }
            Thread.onSpinWait();
        }
    }
}
