package dev.spur.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A running PostgreSQL that belongs to this process. It is reachable from this machine only, requires a password, and
 * writes every commit to disk before it acknowledges the commit.
 *
 * <p>A shell runs between this process and the server. When this process ends, even by {@code kill -9}, the pipe to the
 * shell closes and the shell stops the server. Both run in their own session, so that Ctrl-C in a terminal reaches this
 * process only. This process can then finish its work before the server stops.
 */
public final class PostgresServer implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
    private static final int START_ATTEMPTS = 3;

    /**
     * Runs its arguments as a child, interrupts the child when standard input closes, and exits with the child's
     * status.
     */
    private static final String WATCHDOG = """
            exec 3<&0
            "$@" </dev/null 3<&- &
            server=$!
            (read -r _; kill -INT $server) <&3 2>/dev/null &
            watcher=$!
            exec 3<&-
            wait $server
            status=$?
            kill $watcher 2>/dev/null
            exit $status
            """;

    private final PostgresHome home;
    private final Process process;
    private final int port;
    private final CompletableFuture<String> loss = new CompletableFuture<>();
    private volatile boolean closing;

    @SuppressWarnings("FutureReturnValueIgnored") // the callback cannot fail
    private PostgresServer(PostgresHome home, Process process, int port) {
        this.home = home;
        this.process = process;
        this.port = port;
        process.onExit().thenAccept(this::handleExit);
    }

    private void handleExit(Process server) {
        if (!closing) {
            loss.complete("PostgreSQL ended unexpectedly (status %d); its log is %s."
                    .formatted(server.exitValue(), home.log()));
        }
    }

    /**
     * Starts the server of a Spur home. Creates the home, unpacks the server and creates the database if they do not
     * exist yet.
     *
     * @throws EmbeddedPostgresException if that is not possible, with the cause in the message
     */
    public static PostgresServer start(Path directory) {
        PostgresHome home = PostgresHome.open(directory);
        boolean started = false;
        try {
            var server = start(home);
            started = true;
            return server;
        } catch (IOException exception) {
            throw new EmbeddedPostgresException(
                    "Cannot start PostgreSQL in %s: %s".formatted(home.directory(), IoMessages.of(exception)),
                    exception);
        } finally {
            if (!started) {
                home.close();
            }
        }
    }

    /** Returns the URL to which clients of this machine connect. */
    public String jdbcUrl() {
        return url(port);
    }

    /** Returns true if the home contains a database, which the first start creates. */
    public static boolean hasDatabase(Path directory) {
        return Files.isDirectory(PostgresHome.dataIn(directory));
    }

    /** Returns the JDBC URL of a server on this port. */
    static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, DataDirectory.DATABASE);
    }

    /** Returns the only user, a superuser. */
    public String user() {
        return DataDirectory.USER;
    }

    /** Returns the password of the user. */
    public String password() {
        return home.password();
    }

    /** Completes with the cause if the server ends without having been closed. */
    public CompletableFuture<String> loss() {
        return loss;
    }

    /** Stops the server, closes open connections, and releases the home. */
    @Override
    public void close() {
        closing = true;
        try {
            stop(process);
        } catch (IOException exception) {
            throw new UncheckedIOException("Cannot stop PostgreSQL", exception);
        } finally {
            home.close();
        }
    }

    private static PostgresServer start(PostgresHome home) throws IOException {
        var binaries = PostgresBinaries.unpackOnce(home.directory());
        var user = OsUser.ofThisMachine();
        Path data = new DataDirectory(home, binaries, user).prepare();
        for (int attempt = 1; attempt <= START_ATTEMPTS; attempt++) {
            int port = freePort();
            Process process = launch(user, binaries.program("postgres"), data, port, home.log());
            if (Processes.await(() -> isReady(data, process, port) || !process.isAlive(), START_LIMIT)
                    && process.isAlive()) {
                return new PostgresServer(home, process, port);
            }
            stop(process);
            if (!lostThePort(home.log())) {
                break;
            }
        }
        throw new EmbeddedPostgresException(
                "PostgreSQL did not start; the end of %s:%n%s".formatted(home.log(), tail(home.log())));
    }

    private static Process launch(OsUser user, Path postgres, Path data, int port, Path log) throws IOException {
        var text = new ArrayList<String>();
        if (Processes.isInstalled("setsid")) {
            text.add("setsid");
        }
        var server = new ArrayList<>(List.of("-c", WATCHDOG, "sh", postgres.toString(), "-D", data.toString()));
        settings(port).forEach(setting -> server.addAll(List.of("-c", setting)));
        text.addAll(user.run(Path.of("sh"), server));
        return SystemCommand.processBuilder(text)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static List<String> settings(int port) {
        return List.of(
                "port=" + port,
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "password_encryption=scram-sha-256",
                "timezone=UTC",
                "log_timezone=UTC");
    }

    private static boolean isReady(Path data, Process process, int port) {
        try {
            return PostmasterFile.in(data)
                    .filter(file -> file.ready() && file.port() == port)
                    .filter(file -> process.descendants().anyMatch(child -> child.pid() == file.process()))
                    .isPresent();
        } catch (IOException exception) {
            throw new UncheckedIOException("Cannot read postmaster.pid in " + data, exception);
        }
    }

    private static void stop(Process process) throws IOException {
        process.getOutputStream().close();
        if (!Processes.awaitExit(process, STOP_LIMIT)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Returns a port that is free now. Another program may take it before the server does. */
    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean lostThePort(Path log) throws IOException {
        return Files.readString(log).contains("Address already in use");
    }

    private static String tail(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join(System.lineSeparator(), lines.subList(Math.max(0, lines.size() - 5), lines.size()));
    }
}
