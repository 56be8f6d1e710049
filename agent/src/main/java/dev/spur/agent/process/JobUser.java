package dev.spur.agent.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * User of this node that runs the processes of a job.
 *
 * @param name name, for texts and variables
 * @param uid user id, above 0
 * @param gid id of the primary group, above 0
 * @param home home directory, which may not exist
 */
public record JobUser(String name, long uid, long gid, String home) {
    private static final int MAX_OUTPUT = 1 << 20;
    private static final String SECONDS = "10";
    /** Exit code of getent for a name that does not exist. */
    private static final int NO_ENTRY = 2;

    /** Fields of an entry of the user database. */
    private static final int FIELDS = 7;

    private static final int UID = 2;
    private static final int GID = 3;
    private static final int HOME = 5;

    public JobUser {
        if (uid <= 0 || gid <= 0) {
            throw new IllegalArgumentException("user %s has uid %d and gid %d".formatted(name, uid, gid));
        }
    }

    /** Returns the value of the guard's argument USER. */
    String ids() {
        return uid + ":" + gid;
    }

    /**
     * Runs a short command as this user, with its groups, and none of the agent's variables but {@code PATH}.
     *
     * @return its output, at most 1 MiB
     * @throws IOException if it fails or takes more than ten seconds; the message contains its errors
     */
    public String run(List<String> command) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("timeout", "-k", "1", SECONDS, "setpriv"));
        arguments.addAll(List.of("--reuid=" + uid, "--regid=" + gid, "--init-groups", "--no-new-privs", "--"));
        arguments.addAll(command);
        ProcessBuilder builder =
                new ProcessBuilder(arguments).redirectErrorStream(true).directory(new File("/"));
        builder.environment().keySet().retainAll(List.of("PATH"));
        Process process = builder.start();
        String text = output(process, MAX_OUTPUT);
        int status = await(process);
        if (status != 0) {
            throw new IOException(
                    "user %s cannot run %s (status %d): %s".formatted(name, String.join(" ", command), status, text));
        }
        return text;
    }

    /** Returns the beginning of the output of a process, and closes it. */
    private static String output(Process process, int maxBytes) throws IOException {
        try (var output = process.getInputStream()) {
            return new String(output.readNBytes(maxBytes), StandardCharsets.UTF_8).strip();
        }
    }

    private static int await(Process process) throws IOException {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** Creates a folder and its missing parents as this user, for this user alone. */
    public void createFolders(String folder) throws IOException {
        run(List.of("sh", "-c", "umask 077 && mkdir -p -- \"$1\"", "sh", folder));
    }

    /**
     * Returns the user of a name.
     *
     * @return empty if there is none
     * @throws IOException if the user database does not respond, or the user is root
     */
    static Optional<JobUser> find(String name) throws IOException {
        Process process = new ProcessBuilder("timeout", "-k", "1", SECONDS, "getent", "passwd", "--", name)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String[] fields = output(process, MAX_OUTPUT).split(":", -1);
        int status = await(process);
        if (status == NO_ENTRY || (status == 0 && !fields[0].equals(name))) { // a number finds the user of this id
            return Optional.empty();
        }
        if (status != 0 || fields.length != FIELDS) {
            throw new IOException(
                    "the user database does not respond to a search for %s (status %d)".formatted(name, status));
        }
        try {
            return Optional.of(
                    new JobUser(name, Long.parseLong(fields[UID]), Long.parseLong(fields[GID]), fields[HOME]));
        } catch (IllegalArgumentException e) {
            throw new IOException("user %s cannot run jobs: %s".formatted(name, e.getMessage()), e);
        }
    }
}
