package dev.spur.agent;

import dev.spur.agent.aggregator.AggregatorServer;
import dev.spur.agent.process.SmallFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Command {@code spur aggregator}: sums gradients until it is stopped. It is started by agents and, for connectors, by
 * platforms.
 */
@Command(
        name = "aggregator",
        hidden = true,
        description = "Sum gradients of several jobs. Started by agents and platforms.")
public final class AggregatorCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 100;
    private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(1);

    @Option(names = "--port", paramLabel = "PORT", required = true, description = "Listening port.")
    private int port;

    @ArgGroup(multiplicity = "1")
    private ContentOptions options = new ContentOptions();

    /** Options that select the source of the content. */
    private static final class ContentOptions {
        @Option(
                names = "--content",
                paramLabel = "FILE",
                required = true,
                description = "File with the content to sum; read periodically.")
        private @Nullable Path content;

        @Option(
                names = "--service",
                paramLabel = "URL",
                required = true,
                description =
                        "URL of the service that provides the content to sum; authenticated by SPUR_AGGREGATOR_KEY.")
        private @Nullable URI service;

        ContentSource source() {
            Path file = content;
            return file != null
                    ? new FileContentSource(file)
                    : new ServiceContentSource(
                            Objects.requireNonNull(service), System.getenv().getOrDefault("SPUR_AGGREGATOR_KEY", ""));
        }
    }

    @Option(
            names = "--counts",
            paramLabel = "FILE",
            description = "File for the counts, written each second (default: none).")
    private @Nullable Path counts;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        try (AggregatorServer server = AggregatorServer.start(port)) {
            ContentSource source = options.source();
            long reportedAt = System.nanoTime();
            while (true) {
                source.next().ifPresent(server::set);
                if (System.nanoTime() - reportedAt >= REPORT_NANOS) {
                    writeCounts(server);
                    reportedAt = System.nanoTime();
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        } catch (ContentSource.SourceClosedException closed) {
            spec.commandLine().getErr().println("spur: " + closed.getMessage());
            return 0;
        } catch (IOException e) {
            spec.commandLine().getErr().println("spur: port %d: %s".formatted(port, e.getMessage()));
            return 1;
        }
    }

    /** Writes the counts. A write error does not stop the aggregator. */
    private void writeCounts(AggregatorServer server) {
        Path file = counts;
        if (file != null) {
            try {
                SmallFile.write(file, server.counts().json());
            } catch (UncheckedIOException full) {
                spec.commandLine().getErr().println("spur: " + full.getMessage());
            }
        }
    }
}
