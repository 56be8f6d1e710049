package dev.spur.service.jobs;

import dev.spur.model.Checks;
import dev.spur.model.json.RoundJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Command that executors start for a job on each of its nodes.
 *
 * @param program path of a program, or a name that is resolved on the executor's path
 * @param args its arguments
 * @param env its environment variables
 * @param workdir absolute path of the working directory; null if the executor chooses it
 * @param launch how many processes are started
 * @param checkpointDir checkpoint directory, the same for every node; null if the executor chooses it
 * @param graceSeconds time for a checkpoint between the stop signal and the kill
 * @param maxRestarts maximum number of consecutive failures after which it is restarted
 */
public record Command(
        String program,
        List<String> args,
        Map<String, String> env,
        @Nullable String workdir,
        Launch launch,
        @Nullable String checkpointDir,
        double graceSeconds,
        int maxRestarts) {
    /** Maximum size of a command as JSON, in bytes. Every poll response contains the commands. */
    public static final int MAX_BYTES = 64 << 10;

    /** Maximum number of environment variables. */
    public static final int MAX_VARIABLES = 200;

    /** Number of processes per node. */
    public enum Launch {
        /** One process for each device, each with its rank. */
        PER_DEVICE,
        /** One process, which starts its workers itself. */
        PER_NODE
    }

    public Command {
        Checks.atLeast("graceSeconds", graceSeconds, 0);
        Checks.atLeast("maxRestarts", maxRestarts, 0);
        args = List.copyOf(args);
        env = Checks.copy(env);
        Checks.require(env.size() <= MAX_VARIABLES, "env (%s variables) must not have more than 200", env.size());
        int bytes = size(program) + size(workdir) + size(checkpointDir);
        for (String arg : args) {
            bytes += size(arg);
        }
        for (Map.Entry<String, String> variable : env.entrySet()) {
            bytes += size(variable.getKey()) + size(variable.getValue());
        }
        Checks.require(bytes <= MAX_BYTES, "args (and the rest, %s bytes) must not exceed 64 KiB", bytes);
    }

    /** Parses a stored command. */
    public static Command read(String json) {
        return RoundJson.mapper().readValue(json, Command.class);
    }

    private static int size(@Nullable String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }
}
