package dev.spur.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresHomeTest {
    @TempDir
    private Path folder;

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void isCreatedForItsOwnerAlone() throws Exception {
        Path home = folder.resolve("spur");

        PostgresHome.open(home).close();

        assertThat(permissions(home)).isEqualTo("rwx------");
        assertThat(permissions(home.resolve("postgres"))).isEqualTo("rwx------");
    }

    @Test
    void letsAnotherUserOfTheServerPassThroughOnly() throws Exception {
        try (PostgresHome home = PostgresHome.open(folder.resolve("spur"))) {
            OsUser.SAME.openWay(home.folders());
            assertThat(permissions(home.directory())).isEqualTo("rwx------");

            OsUser.UNPRIVILEGED.openWay(home.folders());

            for (Path directory : List.of(folder.resolve("spur"), home.directory())) {
                assertThat(permissions(directory)).isEqualTo("rwx-----x");
            }
        }
    }
}
