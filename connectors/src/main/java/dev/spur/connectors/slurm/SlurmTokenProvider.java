package dev.spur.connectors.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Authentication token of the user. A token created by scontrol is used for half its lifetime. */
final class SlurmTokenProvider {
    private static final Duration LIFE = Duration.ofMinutes(30);

    private final SlurmSettings settings;
    private final Scontrol scontrol;
    private @Nullable String made;
    private long madeAt;

    SlurmTokenProvider(SlurmSettings settings, Scontrol scontrol) {
        this.settings = settings;
        this.scontrol = scontrol;
    }

    /**
     * Returns a valid token.
     *
     * @throws IOException if there is none
     */
    String current() throws IOException, InterruptedException {
        Optional<Path> file = settings.tokenFile();
        if (file.isPresent()) {
            return Files.readString(file.get()).strip().replaceFirst("^SLURM_JWT=", "");
        }
        String token = made;
        if (token == null || System.nanoTime() - madeAt > LIFE.toNanos() / 2) {
            madeAt = System.nanoTime();
            token = make();
            made = token;
        }
        return token;
    }

    /** Discards a token that Slurm rejected; the next call creates another one. */
    void reject() {
        made = null;
    }

    private String make() throws IOException, InterruptedException {
        try {
            String output = scontrol.run(
                    Optional.empty(), "token", "username=" + settings.user(), "lifespan=" + LIFE.toSeconds());
            if (output.startsWith("SLURM_JWT=")) {
                return output.substring("SLURM_JWT=".length());
            }
            throw new IOException("scontrol token returned no token");
        } catch (SlurmRejection rejection) {
            throw new IOException(
                    "scontrol token failed for user %s: %s".formatted(settings.user(), rejection.getMessage()),
                    rejection);
        }
    }
}
