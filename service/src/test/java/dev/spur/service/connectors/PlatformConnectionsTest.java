package dev.spur.service.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.service.startup.StartupFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class PlatformConnectionsTest {
    private static final DeterminedProperties.Aggregators NONE = DeterminedProperties.Aggregators.NONE;

    private static SlurmProperties slurm(String... settings) {
        return bound("spur.connectors.slurm", SlurmProperties.class, settings);
    }

    private static KubernetesProperties kubernetes(String... settings) {
        return bound("spur.connectors.kubernetes", KubernetesProperties.class, settings);
    }

    /** Settings of a platform, as they are bound when the program starts. */
    private static <T> T bound(String prefix, Class<T> kind, String... settings) {
        MapConfigurationPropertySource source = new MapConfigurationPropertySource();
        for (int s = 0; s < settings.length; s += 2) {
            source.put(prefix + "." + settings[s], settings[s + 1]);
        }
        return new Binder(source).bindOrCreate(prefix, kind);
    }

    private static PlatformConnections of(PlatformKind... kinds) {
        return new PlatformConnections(new ArrayList<>(List.of(kinds)));
    }

    @Test
    void withoutSettingsThereAreNone() {
        assertThat(of(slurm(), kubernetes()).all()).isEmpty();
    }

    @Test
    void thereMayBeSeveral() {
        PlatformConnections both = of(
                slurm("url", "http://a", "partitions", "gpu"),
                slurm("url", "http://b", "partitions", "gpu,cpu", "name", "other"));

        assertThat(both.all()).extracting(PlatformConnection::name).containsExactly("slurm", "other");
        assertThat(both.all()).extracting(PlatformConnection::kind).containsOnly("SLURM");
    }

    @Test
    void oneOfKubernetesIsReachedAsItsKubeconfigSays(@TempDir Path directory) throws Exception {
        Path config = Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: a
                clusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}]
                users: [{name: a, user: {token: t}}]
                contexts: [{name: a, context: {cluster: a, user: a}}]
                """);

        PlatformConnection connection =
                of(slurm(), kubernetes("config", config.toString())).all().get(0);

        assertThat(connection.kind()).isEqualTo("KUBERNETES");
        assertThat(connection.name()).isEqualTo("kubernetes");
        assertThatThrownBy(() -> connection.platform().inventory())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/api/v1/pods");
    }

    @Test
    void aKubeconfigThatIsNoneKeepsTheProgramFromStarting(@TempDir Path directory) throws Exception {
        Path none = Files.writeString(directory.resolve("kubeconfig"), "{none");

        for (String config : List.of("/nowhere/kubeconfig", none.toString())) {
            assertThatThrownBy(() -> of(kubernetes("config", config)))
                    .isInstanceOf(StartupFailure.class)
                    .hasMessageContaining("spur.connectors.kubernetes")
                    .hasMessageContaining(config);
        }
    }

    @Test
    void twoOfOneNameKeepTheProgramFromStarting() {
        assertThatThrownBy(() -> of(
                        slurm("url", "http://a", "partitions", "gpu"), slurm("url", "http://b", "partitions", "gpu")))
                .isInstanceOf(StartupFailure.class)
                .hasMessageContaining("both name their connector slurm");
    }

    @Test
    void aNameThatTheApiCouldNotShowKeepsTheProgramFromStarting() {
        assertThatThrownBy(() -> of(slurm("url", "http://a", "partitions", "gpu", "name", "a/b")))
                .isInstanceOf(StartupFailure.class)
                .hasMessageContaining("spur.connectors.slurm");
    }

    @Test
    void aWrongSettingKeepsTheProgramFromStarting() {
        assertThatThrownBy(() -> of(slurm("url", "http://a")))
                .isInstanceOf(StartupFailure.class)
                .hasMessageContaining("spur.connectors.slurm")
                .hasMessageContaining("partitions");
    }

    @Test
    void aDeterminedClusterNeedsOneWayToComeIn() {
        DeterminedProperties none = determined("", "");
        DeterminedProperties both = determined("/p", "/t");
        DeterminedProperties token = determined("", "/t");

        assertThatThrownBy(() -> of(none)).hasMessageContaining("one of passwordFile and tokenFile");
        assertThatThrownBy(() -> of(both)).hasMessageContaining("one of passwordFile and tokenFile");
        assertThat(of(token, slurm("url", "http://b", "partitions", "cpu")).all())
                .extracting(PlatformConnection::name)
                .containsExactly("determined", "slurm");
    }

    private static DeterminedProperties determined(String passwordFile, String tokenFile) {
        return new DeterminedProperties(
                "http://a",
                "determined",
                "spur",
                passwordFile,
                tokenFile,
                List.of("gpu"),
                "root",
                Duration.ofSeconds(20),
                Duration.ofMinutes(10),
                Duration.ofSeconds(60),
                Duration.ofHours(24),
                NONE);
    }
}
