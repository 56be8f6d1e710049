package dev.spur.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.cli.LoginFile.Login;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service and the token of a command: option, environment, login file. */
class ServiceTargetTest {
    private static final String STORED = "http://10.0.0.1:8080";
    private static final String OTHER = "http://10.0.0.2:8080";

    @TempDir
    private Path folder;

    private LoginFile file;

    @BeforeEach
    void logIn() {
        file = LoginFile.ofUser(Map.of("XDG_CONFIG_HOME", folder.toString()));
        file.write(new Login(STORED, Optional.of("stored")));
    }

    @Test
    void withoutOptionAndEnvironmentTheLoginApplies() {
        assertThat(ServiceTarget.of(null, Map.of(), file))
                .isEqualTo(new ServiceTarget(URI.create(STORED), Optional.of("stored")));
    }

    @Test
    void optionAndEnvironmentPrecedeTheLogin() {
        assertThat(ServiceTarget.of(null, Map.of("SPUR_URL", OTHER, "SPUR_TOKEN", "mine"), file))
                .isEqualTo(new ServiceTarget(URI.create(OTHER), Optional.of("mine")));
        assertThat(ServiceTarget.of(STORED, Map.of("SPUR_URL", OTHER, "SPUR_TOKEN", ""), file))
                .isEqualTo(new ServiceTarget(URI.create(STORED), Optional.of("stored")));
    }

    @Test
    void aSlashAtTheEndOfTheUrlMakesNoDifference() {
        assertThat(ServiceTarget.of(STORED + "/", Map.of(), file).token()).contains("stored");
    }

    @Test
    void aStoredTokenIsSentToNoOtherService() {
        assertThat(ServiceTarget.of(OTHER, Map.of(), file).token()).isEmpty();
        assertThat(ServiceTarget.of(null, Map.of("SPUR_URL", OTHER), file).token())
                .isEmpty();
    }

    @Test
    void onlyTheOwnerReadsTheFile() throws Exception {
        file.write(new Login(OTHER, Optional.empty()));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())))
                .isEqualTo("rw-------");
        assertThat(file.read()).contains(new Login(OTHER, Optional.empty()));
        assertThat(file.path().getParent().toFile().list()).hasSize(1);
        assertThat(file.delete()).isTrue();
        assertThat(file.read()).isEmpty();
    }

    @Test
    void aFileWithoutUrlAndAWrongVariableAreNamed() throws Exception {
        assertThatThrownBy(() -> ServiceTarget.of(null, Map.of("SPUR_URL", "gpu:8080"), file))
                .hasMessageStartingWith("SPUR_URL gpu:8080 is not a URL of the service");
        Files.writeString(file.path(), "token=x\n");
        assertThatThrownBy(() -> ServiceTarget.of(null, Map.of(), file))
                .hasMessageContaining("names no url. Run ./spur login again");
    }
}
