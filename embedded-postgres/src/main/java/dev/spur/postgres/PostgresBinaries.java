package dev.spur.postgres;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** An unpacked PostgreSQL: the programs {@code postgres} and {@code initdb} with the files that they need. */
record PostgresBinaries(Path directory) {

    /**
     * Unpacks the archive on the class path below {@code cache}, unless that was done before. Processes that start at
     * the same time wait for the first; a directory with the final name is always complete.
     */
    static synchronized PostgresBinaries unpackOnce(Path cache) throws IOException {
        String archive = archiveOfThisMachine();
        Path target = cache.resolve(archive.replace(".txz", "") + "-" + version());
        if (!Files.isDirectory(target)) {
            try (var channel = FileChannel.open(
                            cache.resolve("unpack.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var lock = channel.lock()) {
                if (lock.isValid() && !Files.isDirectory(target)) {
                    unpackAtomically(archive, target);
                }
            }
        }
        return new PostgresBinaries(target);
    }

    /** Returns the path of a program, for example {@code initdb}. */
    Path program(String name) {
        return directory.resolve("bin").resolve(name);
    }

    /** Returns the version of the server, for example 17.11.0. */
    static String version() {
        var properties = new Properties();
        try (InputStream file = PostgresBinaries.class.getResourceAsStream("binaries.properties")) {
            properties.load(Objects.requireNonNull(file, "binaries.properties"));
        } catch (IOException exception) {
            throw new IllegalStateException("Cannot read binaries.properties", exception);
        }
        return properties.getProperty("version");
    }

    private static void unpackAtomically(String archive, Path target) throws IOException {
        Path partial = target.resolveSibling(target.getFileName() + ".partial");
        FileTree.delete(partial);
        Files.createDirectory(partial);
        try (InputStream file = PostgresBinaries.class.getResourceAsStream("/" + archive)) {
            if (file == null) {
                throw new EmbeddedPostgresException(
                        "Spur contains no PostgreSQL for this machine (%s is not in the jar). Set SPUR_DATABASE_URL."
                                .formatted(archive));
            }
            unpack(file, partial);
        }
        Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void unpack(InputStream archive, Path directory) throws IOException {
        try (var tar = new TarArchiveInputStream(new XZCompressorInputStream(new BufferedInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = directory.resolve(entry.getName()).normalize();
                if (!path.startsWith(directory)) {
                    throw new IOException("Unexpected entry %s in the archive".formatted(entry.getName()));
                }
                unpack(tar, entry, path);
            }
        }
    }

    private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path path) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(path);
            return;
        }
        Files.createDirectories(path.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else {
            Files.copy(tar, path);
            boolean executable = (entry.getMode() & 0100) != 0;
            Files.setPosixFilePermissions(
                    path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
        }
    }

    private static String archiveOfThisMachine() {
        String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch");
        boolean arm = arch.equals("aarch64") || arch.equals("arm64");
        return name.startsWith("mac")
                ? "postgres-darwin-%s.txz".formatted(arm ? "arm_64" : "x86_64")
                : "postgres-linux-%s.txz".formatted(arm ? "arm_64" : "x86_64");
    }
}
