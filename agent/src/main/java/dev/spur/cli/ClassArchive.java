package dev.spur.cli;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Program that loads the classes of the client commands: the build runs it to record what a class-data archive (CDS) of
 * the JVM must contain. It runs every command once against a stub of the service.
 */
public final class ClassArchive {
    private static final String ANSWER = """
            {"items": [{"jobId": "1", "id": "1", "name": "a", "waitingSeconds": 1.5, "state": "WAITING", "items": []}], "next": null}
            """;
    private static final String ID = "00000000-0000-0000-0000-000000000000";
    private static final String FILE = "{}";

    private ClassArchive() {}

    /** Runs the commands. */
    public static void main(String[] args) throws IOException {
        run();
    }

    /** Runs the commands. Returns their exit codes by name. */
    static Map<String, Integer> run() throws IOException {
        HttpServer stub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        stub.createContext("/", exchange -> {
            byte[] body = ANSWER.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        stub.start();
        Path file = Files.writeString(Files.createTempFile("spur", ".yaml"), FILE);
        Map<String, Integer> codes = new TreeMap<>();
        try {
            String url = "http://127.0.0.1:" + stub.getAddress().getPort();
            Main.commandLine().getSubcommands().forEach((name, command) -> {
                if (command.getCommand() instanceof ServiceCommand) {
                    String operand =
                            Set.of("submit", "apply", "what-if", "recommend").contains(name) ? file.toString() : ID;
                    codes.put(name, run(name, command.getCommandSpec(), operand, url));
                }
            });
        } finally {
            Files.delete(file);
            stub.stop(0);
        }
        return codes;
    }

    private static int run(String name, CommandSpec command, String operand, String url) {
        List<String> arguments = new ArrayList<>(List.of(name, "--service", url));
        command.positionalParameters().forEach(parameter -> arguments.add(operand));
        command.options().stream()
                .filter(OptionSpec::required)
                .forEach(option -> arguments.addAll(List.of(option.longestName(), operand)));
        return Main.commandLine()
                .setOut(new PrintWriter(Writer.nullWriter()))
                .setErr(new PrintWriter(Writer.nullWriter()))
                .execute(arguments.toArray(String[]::new));
    }
}
