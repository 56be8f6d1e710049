package dev.spur.simulator.trace.parsing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds the files that belong to a trace. */
public final class TraceFileLocator {
    private TraceFileLocator() {}

    /**
     * The first of {@code names} that exists: below the folder of {@code file} or any folder above it, or else in the
     * data folder.
     *
     * @param what what is looked for, in words
     * @throws IOException if there is none; the message says what to look for
     */
    public static Path near(Path file, String what, String... names) throws IOException {
        List<Path> folders = new ArrayList<>();
        for (Path above = file.toAbsolutePath().getParent(); above != null; above = above.getParent()) {
            folders.add(above);
        }
        DataFolder.find().ifPresent(folders::add);
        for (Path folder : folders) {
            for (String name : names) {
                Path place = folder.resolve(name);
                if (Files.exists(place)) {
                    return place;
                }
            }
        }
        throw new IOException(
                "%s: %s not found near it; looked for %s".formatted(file, what, String.join(", ", names)));
    }
}
