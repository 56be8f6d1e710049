package dev.spur.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

/**
 * The PostgreSQL part of the Spur home. This process locks the home until it closes the home or ends.
 *
 * <pre>
 * HOME/lock                     lock of this process; contains its process id
 * HOME/postgres/password        password of the only user, readable by the owner
 * HOME/postgres/data            the data directory
 * HOME/postgres/server.log      output of the server
 * HOME/postgres/NAME-VERSION    the unpacked server
 * </pre>
 */
final class PostgresHome implements AutoCloseable {

    private static final int PASSWORD_BYTES = 24;

    private final SpurHome home;
    private final Path postgres;
    private final String password;

    private PostgresHome(SpurHome home, String password) {
        this.home = home;
        this.postgres = postgres(home.root());
        this.password = password;
    }

    /**
     * Creates the home if it does not exist, and locks it.
     *
     * @throws EmbeddedPostgresException if the home cannot be written or another process has locked it
     */
    static PostgresHome open(Path directory) {
        SpurHome home = SpurHome.take(directory);
        boolean open = false;
        try {
            SpurHome.createPrivate(postgres(home.root()));
            var opened = new PostgresHome(home, passwordIn(home.root()));
            open = true;
            return opened;
        } catch (IOException exception) {
            throw SpurHome.unwritable(home.root(), exception);
        } finally {
            if (!open) {
                home.close();
            }
        }
    }

    /** Returns the directory for all PostgreSQL files. */
    Path directory() {
        return postgres;
    }

    /** Returns the directories on the path to the PostgreSQL files. */
    List<Path> folders() {
        return List.of(home.root(), postgres);
    }

    /** Returns the data directory, which does not exist before the first start. */
    Path data() {
        return dataIn(home.root());
    }

    /** Returns the log file of the server. */
    Path log() {
        return postgres.resolve("server.log");
    }

    /** Returns the password of the only user. */
    String password() {
        return password;
    }

    /** Releases the home. */
    @Override
    public void close() {
        home.close();
    }

    /** Returns the data directory of a home that another process may have locked. */
    static Path dataIn(Path root) {
        return postgres(root).resolve("data");
    }

    /** Returns the file with the password of such a home. */
    static Path passwordFileIn(Path root) {
        return postgres(root).resolve("password");
    }

    private static Path postgres(Path root) {
        return root.resolve("postgres");
    }

    private static String passwordIn(Path root) throws IOException {
        Path file = passwordFileIn(root);
        if (!Files.exists(file)) {
            var random = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(random);
            writePrivately(file, HexFormat.of().formatHex(random));
        }
        return Files.readString(file).strip();
    }

    /** Writes a file that only its owner can read, completely or not at all. */
    static void writePrivately(Path file, String content) throws IOException {
        Path partial = file.resolveSibling(file.getFileName() + ".partial");
        Files.deleteIfExists(partial);
        Files.createFile(partial, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(partial, content);
        Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
