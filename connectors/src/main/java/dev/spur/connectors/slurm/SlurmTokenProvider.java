package dev.spur.connectors.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The token that proves to Slurm who calls. One that scontrol made is used for half its life. */
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
     * A token that is good now.
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

    /** The current token was not accepted: makes another one the next time. */
    void refused() {
        made = null;
    }

    private String make() throws IOException, InterruptedException {
        try {
            String said = scontrol.run(
                    Optional.empty(), "token", "username=" + settings.user(), "lifespan=" + LIFE.toSeconds());
            if (said.startsWith("SLURM_JWT=")) {
                return said.substring("SLURM_JWT=".length());
            }
            throw new IOException("scontrol token printed no token");
        } catch (SlurmRejection no) {
            throw new IOException(
                    "scontrol made no token for user %s: %s".formatted(settings.user(), no.getMessage()), no);
        }
    }
}
