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
import picocli.CommandLine;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Program that loads the classes of the client commands: the build runs it to record what a class-data archive (CDS) of
 * the JVM must contain. It runs every command once against a stub of the service.
 */
public final class ClassArchive {
    private static final String ANSWER = """
            {"items": [{"jobId": "1", "id": "1", "name": "a", "waitingSeconds": 1.5, "state": "WAITING", "items": []}], "next": null}
            """;
    private static final String JOB = "name: a\ncommand: [\"true\"]\n";

    private ClassArchive() {}

    /** Runs the commands. Their results are not checked. */
    public static void main(String[] args) throws IOException {
        HttpServer stub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        stub.createContext("/", exchange -> {
            byte[] body = ANSWER.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        stub.start();
        Path job = Files.writeString(Files.createTempFile("job", ".yaml"), JOB);
        try {
            String url = "http://127.0.0.1:" + stub.getAddress().getPort();
            for (String name : Main.commandLine().getSubcommands().keySet()) {
                run(name, job, url);
            }
        } finally {
            Files.delete(job);
            stub.stop(0);
        }
    }

    private static void run(String name, Path job, String url) {
        CommandLine line = Main.commandLine();
        CommandLine command = line.getSubcommands().get(name);
        if (command == null || !(command.getCommand() instanceof ServiceCommand)) {
            return;
        }
        List<String> words = new ArrayList<>(List.of(name, "--service", url));
        for (PositionalParamSpec ignored : command.getCommandSpec().positionalParameters()) {
            words.add(job.toString());
        }
        line.setOut(new PrintWriter(Writer.nullWriter()))
                .setErr(new PrintWriter(Writer.nullWriter()))
                .execute(words.toArray(String[]::new));
    }
}
