package dev.spur.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The data directory of the server. It is created completely or not at all, and two servers never use it at the same
 * time.
 */
final class DataDirectory {

    static final String DATABASE = "spur";
    static final String USER = "spur";

    private static final Duration ORPHAN_LIMIT = Duration.ofSeconds(30);

    private final PostgresHome home;
    private final PostgresBinaries binaries;
    private final OsUser user;

    DataDirectory(PostgresHome home, PostgresBinaries binaries, OsUser user) {
        this.home = home;
        this.binaries = binaries;
        this.user = user;
    }

    /** Prepares the directory so that a server can start on it. */
    Path prepare() throws IOException {
        user.openWay(home.folders());
        user.requireReach(binaries.program("postgres"));
        if (!Files.isDirectory(home.data())) {
            create();
        }
        refuseAnotherMajorVersion();
        stopOrphan();
        user.takeOwnership(home.data());
        return home.data();
    }

    private void create() throws IOException {
        Path partial = home.data().resolveSibling("data.partial");
        Path password = home.directory().resolve("password.initdb");
        FileTree.delete(partial);
        Files.createDirectory(partial);
        PostgresHome.writePrivately(password, home.password());
        try {
            user.takeOwnership(partial);
            user.takeOwnership(password);
            run("initdb", initdbArguments(partial, password), "");
        } finally {
            Files.deleteIfExists(password);
        }
        run("postgres", List.of("--single", "-D", partial.toString(), "postgres"), "CREATE DATABASE " + DATABASE);
        Files.move(partial, home.data(), StandardCopyOption.ATOMIC_MOVE);
    }

    /** The built-in locale sorts identically on every machine; checksums detect silent disk corruption. */
    private static List<String> initdbArguments(Path data, Path password) {
        return List.of(
                "--pgdata=" + data,
                "--username=" + USER,
                "--pwfile=" + password,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--data-checksums");
    }

    private void run(String program, List<String> arguments, String input) throws IOException {
        var result = new SystemCommand(user.run(binaries.program(program), arguments)).run(input);
        if (!result.isSuccessful()) {
            throw new EmbeddedPostgresException(
                    "Cannot create a database in %s: %s".formatted(home.directory(), result.output()));
        }
    }

    private void refuseAnotherMajorVersion() throws IOException {
        String found = Files.readString(home.data().resolve("PG_VERSION")).strip();
        String desired = PostgresBinaries.version().split("\\.", 2)[0];
        if (!found.equals(desired)) {
            throw new EmbeddedPostgresException(
                    "%s was written by PostgreSQL %s, this Spur comes with %s. Start the Spur that wrote it, or set SPUR_HOME."
                            .formatted(home.data(), found, desired));
        }
    }

    /**
     * Waits for the server of a killed Spur process, which is already stopping, or stops it if its watchdog was killed
     * as well.
     */
    private void stopOrphan() throws IOException {
        Optional<ProcessHandle> orphan = PostmasterFile.in(home.data())
                .flatMap(file -> ProcessHandle.of(file.process()))
                .filter(DataDirectory::isServer);
        if (orphan.isEmpty() || stop(orphan.get(), "INT") || stop(orphan.get(), "QUIT")) {
            return;
        }
        throw new EmbeddedPostgresException(
                "A PostgreSQL server of an earlier start (process %d) uses %s and does not stop. Stop the process."
                        .formatted(orphan.get().pid(), home.data()));
    }

    /**
     * Returns true if the process is a live server. The process id may belong to an unrelated program by now. A server
     * that has ended but was not yet reaped by its new parent has no program any more.
     */
    private static boolean isServer(ProcessHandle process) {
        return process.info()
                .command()
                .filter(command -> command.endsWith("/postgres"))
                .isPresent();
    }

    private static boolean stop(ProcessHandle process, String signal) throws IOException {
        new SystemCommand(List.of("sh", "-c", "kill -%s %d".formatted(signal, process.pid()))).run("");
        return Processes.await(() -> !isServer(process), ORPHAN_LIMIT);
    }
}
