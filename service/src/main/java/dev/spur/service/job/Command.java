package dev.spur.service.job;

import dev.spur.model.Checks;
import dev.spur.model.json.RoundJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What executors start for a job, on each of its nodes.
 *
 * @param program path of a program, or a name to be found on the executor's path
 * @param args its arguments
 * @param env variables of its environment
 * @param workdir absolute path of the directory in which it starts; null for one that the executor chooses
 * @param launch how many processes are started
 * @param checkpointDir where its checkpoints are, for every node the same; null for a place that the executor chooses
 * @param graceSeconds time for a checkpoint after it was told to end, before it is killed
 * @param maxRestarts how often in a row it may fail by itself and be started again
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
    /** Most bytes of a command as JSON. Commands travel with every poll. */
    public static final int MOST_BYTES = 64 << 10;

    /** Most variables of its environment. */
    public static final int MOST_VARIABLES = 200;

    /** How many processes are started on a node. */
    public enum Launch {
        /** One for each device, each with its rank. */
        PER_DEVICE,
        /** One, which starts its workers itself. */
        PER_NODE
    }

    public Command {
        Checks.atLeast("graceSeconds", graceSeconds, 0);
        Checks.atLeast("maxRestarts", maxRestarts, 0);
        args = List.copyOf(args);
        env = Checks.copy(env);
        Checks.require(env.size() <= MOST_VARIABLES, "env (%s variables) must not have more than 200", env.size());
        int bytes = size(program) + size(workdir) + size(checkpointDir);
        for (String arg : args) {
            bytes += size(arg);
        }
        for (Map.Entry<String, String> variable : env.entrySet()) {
            bytes += size(variable.getKey()) + size(variable.getValue());
        }
        Checks.require(bytes <= MOST_BYTES, "args (and the rest, %s bytes) must not exceed 64 KiB", bytes);
    }

    /** The command that was stored. */
    public static Command read(String json) {
        return RoundJson.mapper().readValue(json, Command.class);
    }

    private static int size(@Nullable String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }
}
