package dev.spur.connectors.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.connectors.Platform;
import dev.spur.connectors.determined.DeterminedPlatform;
import dev.spur.connectors.determined.DeterminedSettings;
import dev.spur.connectors.kubernetes.ClusterAccess;
import dev.spur.connectors.kubernetes.KubernetesPlatform;
import dev.spur.connectors.kubernetes.KubernetesSettings;
import dev.spur.connectors.slurm.SlurmPlatform;
import dev.spur.connectors.slurm.SlurmSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each platform behind a server that answers badly. */
@Timeout(120)
class FaultyResponsesTest {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    enum Kind {
        DETERMINED {
            @Override
            Platform at(URI url, Path folder, Duration timeout) {
                return new DeterminedPlatform(
                        new DeterminedSettings(
                                url,
                                "spur",
                                Optional.empty(),
                                Optional.of(write(folder, "secret")),
                                List.of("gpu"),
                                timeout,
                                timeout,
                                Optional.empty()),
                        Clock.systemUTC());
            }
        },
        SLURM {
            @Override
            Platform at(URI url, Path folder, Duration timeout) {
                return new SlurmPlatform(
                        new SlurmSettings(
                                url,
                                "slurm",
                                Optional.of(write(folder, "secret")),
                                "scontrol",
                                Optional.empty(),
                                List.of("gpu"),
                                timeout,
                                timeout,
                                Duration.ofSeconds(2)),
                        Clock.systemUTC());
            }
        },
        KUBERNETES {
            @Override
            Platform at(URI url, Path folder, Duration timeout) {
                Path config = write(folder, """
                        apiVersion: v1
                        kind: Config
                        clusters: [{name: c, cluster: {server: "%s"}}]
                        users: [{name: u, user: {token: secret}}]
                        contexts: [{name: x, context: {cluster: c, user: u}}]
                        current-context: x
                        """.formatted(url));
                return new KubernetesPlatform(
                        ClusterAccess.open(config.toString(), "", timeout),
                        new KubernetesSettings(
                                "spur.dev/pool",
                                "topology.kubernetes.io/rack",
                                "topology.kubernetes.io/block",
                                timeout,
                                timeout,
                                timeout,
                                timeout),
                        Clock.systemUTC());
            }
        };

        abstract Platform at(URI url, Path folder, Duration timeout);

        private static Path write(Path folder, String text) {
            try {
                return Files.writeString(folder.resolve("access"), text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aBodyThatStopsEndsTheCallAtItsDeadline(Kind kind) throws Exception {
        try (FaultyServer server = FaultyServer.silentInTheBody()) {
            assertThatThrownBy(() -> kind.at(server.url(), folder, SHORT).inventory())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no complete response within 1 s");
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aBodyThatTricklesEndsTheCallAtItsDeadlineAndClosesTheConnection(Kind kind) throws Exception {
        try (FaultyServer server = FaultyServer.trickling()) {
            assertThatThrownBy(() -> kind.at(server.url(), folder, SHORT).inventory())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no complete response within 1 s");
            assertThat(server.isAbandoned()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aHugeBodyIsRejectedWhetherOrNotItsLengthIsAnnounced(Kind kind) throws Exception {
        for (boolean announced : new boolean[] {true, false}) {
            try (FaultyServer server = FaultyServer.huge(announced)) {
                assertThatThrownBy(() -> kind.at(server.url(), folder, LONG).inventory())
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("the response exceeds 67108864 bytes");
                assertThat(server.isAbandoned()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aRedirectIsNotFollowedSoThatNoTokenReachesAnotherOrigin(Kind kind) throws Exception {
        try (FaultyServer other = FaultyServer.answering(200, "{\"items\": [], \"nodes\": []}");
                FaultyServer server = FaultyServer.redirectingTo(other.url())) {
            assertThatThrownBy(() -> kind.at(server.url(), folder, LONG).inventory())
                    .isInstanceOf(IOException.class);

            assertThat(server.requests()).isNotEmpty().allMatch(request -> request.contains("secret"));
            assertThat(other.requests()).isEmpty();
        }
    }
}
