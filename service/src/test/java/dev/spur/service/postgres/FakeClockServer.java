package dev.spur.service.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A PostgreSQL of its own whose clock a test sets, by libfaketime. Its monotonic clock stays as it is. */
public record FakeClockServer(PostgresServer server, Path offset) implements AutoCloseable {
    private static final List<Path> LIBRARIES = List.of(Path.of("/usr/lib"), Path.of("/usr/lib64"));

    /** The library, if it is installed. */
    public static Optional<Path> library() throws IOException {
        for (Path root : LIBRARIES) {
            if (Files.isDirectory(root)) {
                try (Stream<Path> files = Files.find(root, 3, (file, kind) -> file.endsWith("libfaketime.so.1"))) {
                    Optional<Path> found = files.findFirst();
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** Starts a server in {@code home}. Its clock is right until it is set. */
    public static FakeClockServer start(Path home, Path library) throws IOException {
        Path offset = home.resolve("offset");
        Files.writeString(offset, "+0");
        Path unpacked = UnpackedServer.linkInto(home);
        Path original = unpacked.toRealPath();
        Files.delete(unpacked);
        linkAllBut("bin", original, unpacked);
        linkAllBut("postgres", original.resolve("bin"), unpacked.resolve("bin"));
        Path script = Files.writeString(
                unpacked.resolve("bin/postgres"), """
                #!/bin/sh
                exec env LD_PRELOAD='%s' FAKETIME_TIMESTAMP_FILE='%s' FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 '%s' "$@"
                """.formatted(library, offset, original.resolve("bin/postgres")));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new FakeClockServer(PostgresServer.start(home), offset);
    }

    private static void linkAllBut(String name, Path from, Path to) throws IOException {
        Files.createDirectory(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.filter(each -> !each.endsWith(name)).toList()) {
                Files.createSymbolicLink(to.resolve(file.getFileName()), file);
            }
        }
    }

    /** Sets the clock to so many seconds after the right time; negative for before it. */
    public void set(int seconds) throws IOException {
        Files.writeString(offset, "%+d".formatted(seconds));
    }

    @Override
    public void close() {
        server.close();
    }
}
