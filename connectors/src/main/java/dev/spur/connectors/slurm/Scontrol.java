package dev.spur.connectors.slurm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs scontrol, with a token for the user of the token, otherwise for the user of this process. */
final class Scontrol {
    /** Messages of scontrol that indicate a failed request without a decision of Slurm. */
    private static final List<String> NO_DECISION =
            List.of("unable to contact", "timed out", "connection refused", "zero bytes", "communication");

    private final SlurmSettings settings;

    Scontrol(SlurmSettings settings) {
        this.settings = settings;
    }

    /**
     * Runs scontrol.
     *
     * @return standard output
     * @throws SlurmRejection if Slurm rejects the request
     * @throws IOException if scontrol cannot run or Slurm does not respond
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
                throw new IOException("scontrol %s did not finish in time".formatted(arguments[0]));
            }
            // the output of one or two lines fits into the pipe buffer
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.exitValue() == 0) {
                return output;
            }
            throw refusal(arguments[0], output);
        } finally {
            process.destroyForcibly();
        }
    }

    private static SlurmRejection refusal(String command, String output) throws IOException {
        String small = output.toLowerCase(Locale.ROOT);
        if (NO_DECISION.stream().anyMatch(small::contains)) {
            throw new IOException("scontrol %s: %s".formatted(command, output));
        }
        int number = small.contains("invalid job id") ? SlurmRejection.NO_SUCH_JOB : 0;
        return new SlurmRejection(number, "scontrol %s: %s".formatted(command, output));
    }
}
