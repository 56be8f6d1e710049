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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Program that loads the classes of the client commands: the build runs it to record what a class-data archive (CDS) of
 * the JVM must contain. It runs every command once against a stub of the service.
 */
public final class ClassArchive {
    private static final String ID = "00000000-0000-0000-0000-000000000000";
    private static final String ANSWER = """
            {"id": "%1$s", "name": "a", "state": "DONE", "next": null,
             "items": [{"jobId": "%1$s", "id": "%1$s", "name": "a", "waitingSeconds": 1.5, "state": "DONE", "items": []}]}
            """.formatted(ID);
    private static final String FILE = "{}";
    /** Operands and values of options by their label; the id of a job for others. */
    private static final Map<String, String> VALUES =
            Map.of("N", "1", "ROLE", "viewer", "KIND", "jobs", "NAME=VALUE", "a=b");

    /** Options of the commands that need one. */
    private static final Map<String, List<String>> OPTIONS = Map.of("change", List.of("--time", "1"));

    private static final String SCRIPT = "#!/bin/bash\n#SBATCH --gpus=1 --time=1 --mem=1G -w n1\ntrue\n";

    private ClassArchive() {}

    /** Runs the commands, for at most a minute: a command that waits for the stub must not stop the build. */
    public static void main(String[] args) throws IOException {
        CompletableFuture.delayedExecutor(1, TimeUnit.MINUTES)
                .execute(() -> Runtime.getRuntime().halt(1));
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
        Path script = Files.writeString(Files.createTempFile("spur", ".sh"), SCRIPT);
        Map<String, Integer> codes = new TreeMap<>();
        try {
            String url = "http://127.0.0.1:" + stub.getAddress().getPort();
            Main.commandLine().getSubcommands().forEach((name, command) -> {
                String operand =
                        Set.of("submit", "apply", "what-if", "recommend").contains(name) ? file.toString() : ID;
                if (command.getCommand() instanceof ServiceCommand) {
                    codes.put(name, run(List.of(name), command.getCommandSpec(), operand, url));
                }
                if (command.getCommand() instanceof SubmitCommand) {
                    codes.merge(name, run(List.of(name), command.getCommandSpec(), script.toString(), url), Math::max);
                }
                command.getSubcommands()
                        .forEach((inner, subcommand) -> codes.merge(
                                name, run(List.of(name, inner), subcommand.getCommandSpec(), operand, url), Math::max));
            });
        } finally {
            Files.delete(file);
            Files.delete(script);
            stub.stop(0);
        }
        return codes;
    }

    private static int run(List<String> names, CommandSpec command, String operand, String url) {
        List<String> arguments = new ArrayList<>(names);
        arguments.addAll(List.of("--service", url));
        arguments.addAll(OPTIONS.getOrDefault(names.get(0), List.of()));
        command.positionalParameters()
                .forEach(parameter -> arguments.add(VALUES.getOrDefault(parameter.paramLabel(), operand)));
        command.options().stream()
                .filter(option -> option.required() && option.group() == null)
                .forEach(option -> arguments.addAll(
                        List.of(option.longestName(), VALUES.getOrDefault(option.paramLabel(), operand))));
        return Main.commandLine()
                .setOut(new PrintWriter(Writer.nullWriter()))
                .setErr(new PrintWriter(Writer.nullWriter()))
                .execute(arguments.toArray(String[]::new));
    }
}
