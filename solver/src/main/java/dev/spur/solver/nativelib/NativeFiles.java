package dev.spur.solver.nativelib;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Properties;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * Native files of OR-Tools for one platform, as they lie on the class path.
 *
 * @param platform the directory that holds them, for example {@code ortools-linux-x86-64}
 * @param version version of OR-Tools, part of the name of their cache directory
 */
record NativeFiles(String platform, String version) {

    /** Returns the files for this machine. */
    static NativeFiles ofThisMachine() {
        String platform = "ortools-" + system() + "-" + architecture();
        return new NativeFiles(platform, versionOf(platform));
    }

    /**
     * Returns the directory below {@code cache} that holds the files, and fills it first if necessary. Processes that
     * start at the same time wait for the first one. A directory with the final name is always complete.
     */
    Path unpackOnce(Path cache) throws IOException {
        Path target = cache.resolve(platform + "-" + version);
        if (Files.isDirectory(target)) {
            return target;
        }
        // The Spur home may be among the parents.
        Files.createDirectories(
                cache, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (var channel =
                        FileChannel.open(cache.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var lock = channel.lock()) {
            if (lock.isValid() && !Files.isDirectory(target)) {
                unpackAtomically(cache, target);
            }
        }
        return target;
    }

    private void unpackAtomically(Path cache, Path target) throws IOException {
        Path partial = cache.resolve(target.getFileName() + ".partial");
        deleteTree(partial);
        Files.createDirectory(partial);
        try (JarFile jar = openJar()) {
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                copy(jar, entry, partial);
            }
        }
        Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
    }

    private void copy(JarFile jar, JarEntry entry, Path directory) throws IOException {
        String prefix = platform + "/";
        if (entry.isDirectory() || !entry.getName().startsWith(prefix)) {
            return;
        }
        Path file =
                directory.resolve(entry.getName().substring(prefix.length())).normalize();
        if (!directory.equals(file.getParent())) {
            throw new IOException("Unexpected entry %s in %s".formatted(entry.getName(), jar.getName()));
        }
        try (InputStream content = jar.getInputStream(entry)) {
            Files.copy(content, file);
        }
    }

    /** The jar is opened past the cache of the class loader, because it is closed again here. */
    private JarFile openJar() throws IOException {
        var connection = resource(platform + "/").openConnection();
        connection.setUseCaches(false);
        if (connection instanceof JarURLConnection jar) {
            return jar.getJarFile();
        }
        throw new IOException("%s is not inside a jar".formatted(connection.getURL()));
    }

    private static String versionOf(String platform) {
        var properties = new Properties();
        try (InputStream file = resource("META-INF/maven/com.google.ortools/%s/pom.properties".formatted(platform))
                .openStream()) {
            properties.load(file);
        } catch (IOException exception) {
            throw new IllegalStateException("Cannot read the version of " + platform, exception);
        }
        return properties.getProperty("version", "unknown");
    }

    private static URL resource(String name) {
        @Nullable URL found = NativeFiles.class.getClassLoader().getResource(name);
        if (found == null) {
            throw new IllegalStateException("OR-Tools for this machine is not on the class path: no %s (os %s, arch %s)"
                    .formatted(name, System.getProperty("os.name"), System.getProperty("os.arch")));
        }
        return found;
    }

    private static String system() {
        String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        return name.startsWith("mac") ? "darwin" : name.startsWith("windows") ? "win32" : "linux";
    }

    private static String architecture() {
        String name = System.getProperty("os.arch");
        return name.equals("aarch64") || name.equals("arm64") ? "aarch64" : "x86-64";
    }

    private static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
