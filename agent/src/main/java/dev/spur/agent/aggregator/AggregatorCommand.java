package dev.spur.agent.aggregator;

import dev.spur.agent.run.SmallFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code spur aggregator}: sums gradients until it is told to end. Agents start it. */
@Command(name = "aggregator", hidden = true, description = "Sums gradients of several jobs; agents start it.")
public final class AggregatorCommand implements Callable<Integer> {
    private static final long LOOK_MILLIS = 100;
    private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(1);

    @Option(names = "--port", paramLabel = "PORT", required = true, description = "Where it listens.")
    private int port;

    @Option(
            names = "--content",
            paramLabel = "FILE",
            required = true,
            description = "What it is to sum; looked at again and again.")
    private Path content = Path.of("");

    @Option(
            names = "--counts",
            paramLabel = "FILE",
            description = "Where it says each second what it has done; nowhere if left out.")
    private @Nullable Path counts;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        try (AggregatorServer server = AggregatorServer.start(port)) {
            Optional<String> known = Optional.empty();
            long told = System.nanoTime();
            while (true) {
                Optional<String> now = SmallFile.read(content);
                if (now.isPresent() && !now.equals(known)) {
                    server.set(Content.read(now.get()));
                    known = now;
                }
                if (System.nanoTime() - told >= TELL_NANOS) {
                    tell(server);
                    told = System.nanoTime();
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        } catch (IOException e) {
            spec.commandLine().getErr().println("spur: port %d: %s".formatted(port, e.getMessage()));
            return 1;
        }
    }

    /** Summing goes on where nothing can be written. */
    private void tell(AggregatorServer server) {
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
