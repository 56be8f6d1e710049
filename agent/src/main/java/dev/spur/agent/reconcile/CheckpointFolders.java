package dev.spur.agent.reconcile;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checkpoint folders of a job, one per generation, as normalized absolute paths.
 *
 * @param root folder or URI of all checkpoints of the job
 */
record CheckpointFolders(String root) {
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
        Path folder = Path.of(root);
        if (!Files.isDirectory(folder)) {
            return "";
        }
        long newest = -1;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "gen-*")) {
            for (Path one : all) {
                Matcher name = GENERATION.matcher(one.getFileName().toString());
                long found = name.matches() ? Long.parseLong(name.group(1)) : -1;
                if (found > newest && found <= generation && holdsSomething(one)) {
                    newest = found;
                }
            }
        } catch (IOException unreadable) {
            return of("gen-%08d".formatted(generation));
        }
        return newest < 0 ? "" : of("gen-%08d".formatted(newest));
    }

    private static boolean holdsSomething(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            return files.iterator().hasNext();
        }
    }
}
