package dev.spur.postgres;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Scanner;

/** A process of its own that starts a server, inserts a row for each line that it reads, and can be killed. */
final class ServerProcess {

    private final Process process;
    private final BufferedReader output;

    private ServerProcess(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    static ServerProcess start(Path home) throws IOException {
        var process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServerProcess.class.getName(),
                        home.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var server = new ServerProcess(process);
        server.expect("ready");
        return server;
    }

    void insertRow() throws IOException {
        var input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        input.println("insert");
        expect("inserted");
    }

    long pid() {
        return process.pid();
    }

    /** Leaves the server behind: nothing tells it to stop. */
    void killWithWatchdog() throws InterruptedException {
        process.descendants()
                .filter(child -> child.info().command().orElse("").endsWith("sh"))
                .forEach(ProcessHandle::destroyForcibly);
        kill();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private void expect(String line) throws IOException {
        String read = output.readLine();
        if (!line.equals(read)) {
            throw new IOException("Expected %s, read %s".formatted(line, read));
        }
    }

    public static void main(String[] args) throws SQLException {
        var server = PostgresServer.start(Path.of(args[0]));
        System.out.println("ready");
        try (var connection = DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
                var statement = connection.createStatement();
                var input = new Scanner(System.in, StandardCharsets.UTF_8)) {
            while (input.hasNextLine()) {
                input.nextLine();
                statement.execute("CREATE TABLE IF NOT EXISTS row (at timestamptz DEFAULT now())");
                statement.execute("INSERT INTO row DEFAULT VALUES");
                System.out.println("inserted");
            }
        }
    }
}
