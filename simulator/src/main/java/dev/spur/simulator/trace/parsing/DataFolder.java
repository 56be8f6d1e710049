package dev.spur.simulator.trace.parsing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Folder of measured profiles and traces, named by the environment variable {@code SPUR_DATA}. */
public final class DataFolder {
    private DataFolder() {}

    /** Returns the folder; empty if the variable is unset or names no folder. */
    public static Optional<Path> find() {
        return Optional.ofNullable(System.getenv("SPUR_DATA"))
                .filter(name -> !name.isBlank())
                .map(Path::of)
                .filter(Files::isDirectory);
    }

    /**
     * Returns the folder.
     *
     * @throws IllegalStateException if the variable is unset or names no folder
     */
    public static Path require() {
        return find().orElseThrow(
                        () -> new IllegalStateException("SPUR_DATA does not name the folder of measured profiles"));
    }
}
