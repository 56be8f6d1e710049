package dev.spur.connectors.reconcile;

import dev.spur.connectors.HostResources;
import dev.spur.connectors.Platform;
import dev.spur.connectors.slurm.SlurmPlatform;
import dev.spur.connectors.slurm.SlurmSettings;
import dev.spur.connectors.testing.SlurmCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract on a real Slurm. */
@Tag("platform")
class SlurmTest extends PlatformContractTest {
    private static final Pattern HOST = Pattern.compile("host (\\d+) CPUs (\\d+) MiB on a node, \\1 for a task");

    private static SlurmCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        Optional<String> missing = SlurmCluster.missing();
        Assumptions.assumeTrue(missing.isEmpty(), missing.orElse(""));
        cluster = SlurmCluster.start();
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Override
    PlatformFixture open() {
        return new SlurmFixture(cluster, new SlurmPlatform(settings(cluster.url()), Clock.systemUTC()));
    }

    static SlurmSettings settings(URI url) {
        return new SlurmSettings(
                url,
                "slurm",
                Optional.empty(),
                "scontrol",
                Optional.of(cluster.conf()),
                List.of("gpu", "cpu"),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                Duration.ofSeconds(2));
    }

    /** A real Slurm and a user without rights. */
    record SlurmFixture(SlurmCluster cluster, Platform platform) implements PlatformFixture {
        @Override
        public Clock clock() {
            return Clock.systemUTC();
        }

        @Override
        public String submit(int nodes, int slotsOnEach, boolean held, String words) {
            return quietly(() -> cluster.submit(
                    "--nodes=" + nodes,
                    "--ntasks-per-node=1",
                    "--cpus-per-task=1",
                    "--gpus-per-node=" + slotsOnEach,
                    "--requeue",
                    "--comment=" + words,
                    held ? "--hold" : "--job-name=job"));
        }

        @Override
        public String batch(String job) {
            return quietly(() -> {
                String output = cluster.output(job);
                String text = output.substring(output.lastIndexOf("with batch ") + 1);
                return text.replaceAll("\\D", "");
            });
        }

        @Override
        public @Nullable HostResources host(String job, int slots) {
            String[] lines = quietly(() -> cluster.output(job)).split("\n", -1);
            for (int line = lines.length - 1; line >= 0; line--) {
                Matcher host = HOST.matcher(lines[line]);
                if (host.matches()) {
                    return new HostResources(
                            1000 * Long.parseLong(host.group(1)) / slots, Long.parseLong(host.group(2)) / slots);
                }
            }
            return null;
        }

        @Override
        public void release(String job) {
            quietly(() -> cluster.runAsUser("scontrol", "release", job));
        }

        @Override
        public void hold(String job) {
            quietly(() -> cluster.runAsUser("scontrol", "hold", job));
        }

        @Override
        public void pass() {
            quietly(() -> {
                Thread.sleep(200);
                return "";
            });
        }

        @Override
        public void close() {
            quietly(() -> {
                cluster.clear();
                return "";
            });
        }

        private interface Call {
            String run() throws IOException, InterruptedException;
        }

        private static String quietly(Call call) {
            try {
                return call.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
