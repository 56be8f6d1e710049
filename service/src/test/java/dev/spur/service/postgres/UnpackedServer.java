package dev.spur.service.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The unpacked PostgreSQL of the tests' own home. Unpacking is tested by the first start of all; further homes share
 * its result.
 */
public final class UnpackedServer {
    private UnpackedServer() {}

    /** Makes a home in which PostgreSQL is unpacked already. Returns what leads there. */
    public static Path linkInto(Path home) throws IOException {
        Path cache = Files.createDirectories(Path.of(System.getenv("SPUR_HOME"), "postgres"));
        Path unpacked = PostgresBinaries.unpackOnce(cache.toAbsolutePath()).directory();
        Path postgres = Files.createDirectories(home.resolve("postgres"));
        return Files.createSymbolicLink(postgres.resolve(unpacked.getFileName()), unpacked);
    }
}
