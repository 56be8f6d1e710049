package dev.spur.service.operations.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.service.database.postgres.TestDatabase;
import dev.spur.service.startup.StartupFailure;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveTest {
    @TempDir
    private static Path sample;

    private static TestDatabase source;
    private static Manifest exported;

    @TempDir
    private Path folder;

    private TestDatabase target;
    private Path file;

    @BeforeAll
    static void exportASample() throws SQLException {
        source = TestDatabase.create();
        migrate(source, null);
        source.execute(SampleRows.SQL);
        exported = export(source, sample.resolve("spur.export"));
    }

    @AfterAll
    static void dropTheSource() {
        source.close();
    }

    @BeforeEach
    void begin() throws IOException {
        target = TestDatabase.create();
        file = Files.copy(sample.resolve("spur.export"), folder.resolve("spur.export"));
    }

    @AfterEach
    void dropTheTarget() {
        target.close();
    }

    @Nested
    class AnExport {
        @Test
        void isOfOneMoment() throws Exception {
            try (Connection other = login(source).connect();
                    var statement = other.createStatement()) {
                // two tables that are copied one after the other, always changed together
                Thread writer = new Thread(() -> {
                    try {
                        for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
                            statement.execute(
                                    "insert into job_event (job_id, kind, detail) values ('j1', 'TWIN', '{}')");
                            statement.execute(
                                    "insert into audit_entry (principal, credential, address, request_id, operation, kind,"
                                            + " object, change) values ('', '', '', '', '', '', '" + i + "', '{}')");
                            other.commit();
                        }
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                });
                writer.start();
                for (int attempt = 0; attempt < 5; attempt++) {
                    Manifest manifest = export(source, folder.resolve("attempt" + attempt));
                    assertThat(rows(manifest, "job_event") - 2000).isEqualTo(rows(manifest, "audit_entry"));
                }
                writer.interrupt();
                writer.join();
            }
        }

        @Test
        void canBeReadByItsOwnerAlone() throws Exception {
            Path written = sample.resolve("spur.export");

            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(written)))
                    .isEqualTo("rw-------");
            assertThat(sample).isDirectoryNotContaining(other -> !other.equals(written));
        }

        @Test
        void takesTheNameOfNoOtherFile() throws Exception {
            Files.writeString(file, "kept");

            assertThatThrownBy(() -> export(source, file))
                    .isInstanceOf(StartupFailure.class)
                    .hasMessageContaining("already exists. Choose another file.");
            assertThat(file).hasContent("kept");
        }

        @Test
        void ofADatabaseWithoutSpurIsRefused() {
            Path none = folder.resolve("none");

            assertThatThrownBy(() -> export(target, none))
                    .isInstanceOf(StartupFailure.class)
                    .hasMessageContaining("contains no Spur schema");
            assertThat(folder).isDirectoryNotContaining(other -> !other.equals(file));
        }
    }

    @Nested
    class ARestoration {
        @Test
        void bringsBackEveryRowAndEverySequence() throws Exception {
            restore(file, target);

            Manifest again = export(target, folder.resolve("again"));
            assertThat(byName(again)).isEqualTo(byName(exported));
            assertThat(again.sequences()).containsAll(exported.sequences());
            assertThat(exported.tables()).filteredOn(part -> part.rows() > 0).hasSizeGreaterThanOrEqualTo(19);
        }

        @Test
        void leavesTriggersAtWork() throws Exception {
            restore(file, target);
            long before = number(target, "select version from cluster_version");

            target.execute("insert into pool (name, whole_nodes) values ('another', true)");

            assertThat(number(source, "select version from cluster_version")).isEqualTo(before);
            assertThat(number(target, "select version from cluster_version")).isEqualTo(before + 1);
        }

        @Test
        void saysThatTheDatabaseIsToBeTakenUp() throws Exception {
            restore(file, target);

            assertThat(number(
                            target,
                            "select count(*) from restoration where recovered_at is null and exported_at = '%s'"
                                    .formatted(exported.exportedAt())))
                    .isEqualTo(1);
        }

        @Test
        void migratesAnOlderSchema() throws Exception {
            Path older = folder.resolve("older");
            try (TestDatabase old = TestDatabase.create()) {
                migrate(old, "8");
                old.execute(SampleRows.SQL);
                assertThat(export(old, older).schema()).isEqualTo("8");
            }

            String schema = restore(older, target);

            assertThat(Integer.parseInt(schema)).isGreaterThan(8);
            assertThat(number(target, "select count(*) from job")).isEqualTo(500);
        }

        @Test
        void refusesANewerSchema() throws Exception {
            inside(manifest -> manifest.replaceFirst("\"schema\":\"\\d+\"", "\"schema\":\"999\""));

            assertThatThrownBy(() -> restore(file, target))
                    .isInstanceOf(StartupFailure.class)
                    .hasMessageContaining("has schema 999 and was written by Spur test")
                    .hasMessageContaining("Restore it with a newer Spur.");
            assertEmpty(target);
        }

        @Test
        void refusesAnExportOfTheFuture() throws Exception {
            inside(manifest -> manifest.replaceFirst("\"exportedAt\":\"20", "\"exportedAt\":\"21"));

            assertThatThrownBy(() -> restore(file, target)).hasMessageContaining("Correct the clock");
            assertEmpty(target);
        }

        @Test
        void refusesADatabaseThatIsNotEmpty() throws Exception {
            target.execute("create table somebody (s text)");

            assertThatThrownBy(() -> restore(file, target))
                    .hasMessageContaining("is not empty, and nothing was changed");
            assertThatThrownBy(() -> restore(file, source))
                    .hasMessageContaining("is not empty, and nothing was changed");
            target.execute("drop table somebody");
            assertEmpty(target);
            assertThat(number(source, "select count(*) from job")).isEqualTo(500);
        }

        @Test
        void leavesNothingBehindWhenItFails() throws Exception {
            inside(manifest -> manifest.replaceFirst("\"activity\"", "\"another\""));

            assertThatThrownBy(() -> restore(file, target)).hasMessageContaining("do not match schema");
            assertEmpty(target);
        }
    }

    @Nested
    class ADamagedFile {
        @Test
        void isRefusedWhereverItIsCut() throws Exception {
            byte[] whole = Files.readAllBytes(file);
            for (int length = 0; length < whole.length; length += 1 + whole.length / 50) {
                Files.write(file, Arrays.copyOf(whole, length));

                assertThatThrownBy(() -> ExportFile.open(file).close())
                        .as("cut to %d bytes", length)
                        .isInstanceOf(StartupFailure.class)
                        .hasMessageContaining("is not a complete export");
            }
        }

        @Test
        void isRefusedWhateverByteIsAnotherOneUnlessItMeansNothing() throws Exception {
            byte[] bytes = Files.readAllBytes(file);
            int refused = 0;
            for (int place = 0; place < bytes.length; place += 1 + bytes.length / 400) {
                bytes[place] ^= 0x20;
                Files.write(file, bytes);
                bytes[place] ^= 0x20;
                try (ExportFile opened = ExportFile.open(file)) {
                    assertThat(opened.manifest()).as("byte %d", place).isEqualTo(exported);
                } catch (StartupFailure failure) {
                    refused++;
                }
            }

            assertThat(refused).isGreaterThan(300);
        }

        @Test
        void isRefusedWhenThereIsNone() {
            assertThatThrownBy(() -> ExportFile.open(folder.resolve("none"))).hasMessageContaining("There is no file");
        }

        @Test
        void isRefusedWhenItsFormatIsUnknown() throws Exception {
            inside(manifest -> manifest.replaceFirst("\"format\":1", "\"format\":2"));

            assertThatThrownBy(() -> ExportFile.open(file)).hasMessageContaining("has format 2");
        }
    }

    private static Login login(TestDatabase database) {
        return new Login(database.jdbcUrl(), database.user(), database.password());
    }

    private static void migrate(TestDatabase database, String version) throws SQLException {
        try (Connection connection = login(database).connect()) {
            if (version == null) {
                new Schema(connection).migrate();
            } else {
                new Schema(connection).migrateTo(version);
            }
            connection.commit();
        }
    }

    private static Manifest export(TestDatabase database, Path file) {
        return new ExportWriter(login(database), "Spur test").write(file);
    }

    private static String restore(Path file, TestDatabase database) {
        try (ExportFile opened = ExportFile.open(file)) {
            return new Restorer(login(database)).restore(opened);
        }
    }

    /** The tables except that which a restoration writes, by name. */
    private static Map<String, Manifest.Part> byName(Manifest manifest) {
        return manifest.tables().stream()
                .filter(part -> !part.name().equals("restoration"))
                .collect(Collectors.toMap(Manifest.Part::name, Function.identity()));
    }

    private static long rows(Manifest manifest, String table) {
        return byName(manifest).get(table).rows();
    }

    private static void assertEmpty(TestDatabase database) throws SQLException {
        try (Connection connection = login(database).connect()) {
            assertThat(new Catalog(connection).isEmpty()).isTrue();
        }
    }

    private static long number(TestDatabase database, String question) throws SQLException {
        try (Connection connection = login(database).connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery(question)) {
            assertThat(row.next()).isTrue();
            return row.getLong(1);
        }
    }

    /** Changes the manifest in the file, as somebody does who knows how. */
    private void inside(Function<String, String> change) throws IOException {
        try (var zip = FileSystems.newFileSystem(URI.create("jar:" + file.toUri()), Map.of())) {
            Path manifest = zip.getPath(Manifest.ENTRY);
            String before = Files.readString(manifest);
            String after = change.apply(before);
            assertThat(after).isNotEqualTo(before);
            Files.write(manifest, List.of(after));
        }
    }
}
