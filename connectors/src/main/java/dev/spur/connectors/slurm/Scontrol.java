package dev.spur.connectors.slurm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs scontrol. With a token it acts for the user of the token, wherever it runs; without, for the user of this
 * process.
 */
final class Scontrol {
    /** What scontrol says when nobody decided anything. */
    private static final List<String> NO_ANSWER =
            List.of("unable to contact", "timed out", "connection refused", "zero bytes", "communication");

    private final SlurmSettings settings;

    Scontrol(SlurmSettings settings) {
        this.settings = settings;
    }

    /**
     * Runs it.
     *
     * @return what it printed
     * @throws SlurmRefusal if Slurm says no
     * @throws IOException if it cannot be run, or Slurm does not answer
     */
    String run(Optional<String> token, String... arguments) throws IOException, InterruptedException, SlurmRejection {
        List<String> command = new ArrayList<>(List.of(settings.scontrol()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("SLURM_JWT");
        settings.conf().ifPresent(conf -> builder.environment().put("SLURM_CONF", conf.toString()));
        token.ifPresent(jwt -> builder.environment().put("SLURM_JWT", jwt));
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(settings.timeout().toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("scontrol %s did not end".formatted(arguments[0]));
            }
            // what it prints fits a pipe: a line or two
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.exitValue() == 0) {
                return said;
            }
            throw refusal(arguments[0], said);
        } finally {
            process.destroyForcibly();
        }
    }

    private static SlurmRejection refusal(String command, String said) throws IOException {
        String small = said.toLowerCase(Locale.ROOT);
        if (NO_ANSWER.stream().anyMatch(small::contains)) {
            throw new IOException("scontrol %s: %s".formatted(command, said));
        }
        int number = small.contains("invalid job id") ? SlurmRejection.NO_SUCH_JOB : 0;
        return new SlurmRejection(number, "scontrol %s: %s".formatted(command, said));
    }
}
