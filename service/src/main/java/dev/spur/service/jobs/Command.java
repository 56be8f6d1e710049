package dev.spur.service.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.spur.model.Checks;
import dev.spur.model.json.RoundJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * @param roles by name of a role: how its replicas differ from this command; empty if none does
 */
public record Command(
        String program,
        List<String> args,
        Map<String, String> env,
        @Nullable String workdir,
        Launch launch,
        @Nullable String checkpointDir,
        double graceSeconds,
        int maxRestarts,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, RoleCommand> roles) {
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

    /**
     * Command of each replica of a role. It also has the environment variables of the command of the job.
     *
     * @param program its program; null for that of the command of the job
     * @param args its arguments; null for those of the command of the job
     * @param env further environment variables
     * @param onFailure effect of a replica that ends with another code than 0
     */
    public record RoleCommand(
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String program,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            List<String> args,

            Map<String, String> env,
            OnFailure onFailure) {
        /** Effect of a replica that ends with another code than 0. */
        public enum OnFailure {
            /** The job fails, and is restarted like after a failure of a rank. */
            FAIL_JOB,
            /** The replica is started again. */
            RESTART,
            /** The gang continues without the replica. */
            IGNORE
        }

        public RoleCommand {
            args = args == null ? null : List.copyOf(args);
            env = Checks.copy(env);
            onFailure = Objects.requireNonNullElse(onFailure, OnFailure.FAIL_JOB);
            requireFewVariables(env);
        }

        private int bytes() {
            return size(program) + size(args == null ? List.of() : args) + size(env);
        }
    }

    public Command {
        Checks.atLeast("graceSeconds", graceSeconds, 0);
        Checks.atLeast("maxRestarts", maxRestarts, 0);
        args = List.copyOf(args);
        env = Checks.copy(env);
        roles = Checks.copy(roles);
        requireFewVariables(env);
        int bytes = size(program)
                + size(workdir)
                + size(checkpointDir)
                + size(args)
                + size(env)
                + roles.values().stream().mapToInt(RoleCommand::bytes).sum();
        Checks.require(bytes <= MAX_BYTES, "args (and the rest, %s bytes) must not exceed 64 KiB", bytes);
    }

    /** Parses a stored command. */
    public static Command read(String json) {
        return RoundJson.mapper().readValue(json, Command.class);
    }

    private static void requireFewVariables(Map<String, String> env) {
        Checks.require(
                env.size() <= MAX_VARIABLES,
                "env (%s variables) must not have more than %s",
                env.size(),
                MAX_VARIABLES);
    }

    private static int size(List<String> texts) {
        return texts.stream().mapToInt(Command::size).sum();
    }

    private static int size(Map<String, String> variables) {
        return variables.entrySet().stream()
                .mapToInt(variable -> size(variable.getKey()) + size(variable.getValue()))
                .sum();
    }

    private static int size(@Nullable String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }
}
