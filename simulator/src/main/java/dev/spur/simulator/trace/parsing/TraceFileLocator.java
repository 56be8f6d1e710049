package dev.spur.simulator.trace.parsing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Locator of the files that belong to a trace. */
public final class TraceFileLocator {
    private TraceFileLocator() {}

    /**
     * Returns the first of {@code names} that exists in the folder of {@code file}, in any folder above it, or else in
     * the data folder.
     *
     * @param what description of the missing file for the error message
     * @throws IOException if there is none; the message states the names that were searched
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
