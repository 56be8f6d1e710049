package dev.spur.agent.reconcile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checkpoint folders of a job, one per generation, as normalized absolute paths.
 *
 * @param root folder or URI of all checkpoints of the job
 * @param store reads the folders
 * @param tenant tenant of the job; null if it is not known
 */
record CheckpointFolders(
        String root, CheckpointStore store, @Nullable String tenant) {
    private static final Pattern GENERATION = Pattern.compile("gen-(\\d{8,18})");

    /** Returns the path of the folder {@code name}. */
    String of(String name) {
        return root.endsWith("/") ? root + name : root + "/" + name;
    }

    /**
     * Returns the path of the newest non-empty folder of a generation up to {@code generation}; empty if there is none.
     * If the agent cannot list the folders, returns the path for {@code generation}.
     */
    String newestUpTo(long generation) {
        if (!root.startsWith("/")) {
            return of("gen-%08d".formatted(generation));
        }
        long newest = -1;
        try {
            for (String name : store.generations(tenant, Path.of(root))) {
                Matcher matcher = GENERATION.matcher(name);
                long found = matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
                newest = found <= generation ? Math.max(newest, found) : newest;
            }
        } catch (IOException unreadable) {
            return of("gen-%08d".formatted(generation));
        }
        return newest < 0 ? "" : of("gen-%08d".formatted(newest));
    }
}
