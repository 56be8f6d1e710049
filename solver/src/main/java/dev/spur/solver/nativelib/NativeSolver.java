package dev.spur.solver.nativelib;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Loader of the native library of OR-Tools, from a directory that persists between starts.
 *
 * <p>The loader of OR-Tools unpacks 70 MB into a new temporary directory at every start, leaves it behind when the
 * process is killed, and hides the cause of a failure. This one unpacks once per version, below {@code SPUR_HOME} or
 * {@code ~/.spur}, and reports the cause of a failure.
 */
public final class NativeSolver {

    private static final String LIBRARY = System.mapLibraryName("jniortools");

    /** Directory of the native files; null until they are loaded. */
    private static @Nullable Path directory;

    private NativeSolver() {}

    /**
     * Loads OR-Tools into this process; a second call has no effect.
     *
     * @throws UncheckedIOException when neither the cache nor the temporary directory is writable
     * @throws UnsatisfiedLinkError when this machine cannot load the library, for example from a mount without
     *     execution
     */
    public static synchronized void load() {
        if (directory != null) {
            return;
        }
        Path unpacked = unpack(NativeFiles.ofThisMachine());
        Path library = unpacked.resolve(LIBRARY);
        try {
            System.load(library.toString());
        } catch (UnsatisfiedLinkError error) {
            throw (UnsatisfiedLinkError)
                    new UnsatisfiedLinkError("Cannot load %s: %s".formatted(library, error.getMessage()))
                            .initCause(error);
        }
        directory = unpacked;
    }

    /**
     * Loads OR-Tools and returns the file of another library that it contains.
     *
     * @param name name without prefix and suffix, for example {@code highs} for {@code libhighs.so.1}
     * @throws IllegalStateException if OR-Tools contains no such library for this machine
     */
    public static synchronized Path library(String name) {
        load();
        Path unpacked = Objects.requireNonNull(directory);
        try (Stream<Path> files = Files.list(unpacked)) {
            return files.filter(file -> file.getFileName().toString().matches("(lib)?" + name + "\\..*"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(
                            "OR-Tools for this machine contains no library %s in %s".formatted(name, unpacked)));
        } catch (IOException exception) {
            throw new UncheckedIOException("Cannot list " + unpacked, exception);
        }
    }

    private static Path unpack(NativeFiles files) {
        Path cache = cacheDirectory();
        try {
            return files.unpackOnce(cache);
        } catch (IOException exception) {
            return unpackForThisProcess(files, cache, exception);
        }
    }

    /**
     * Unpacks to a temporary directory. A home that is not writable must not stop a solve: the copy costs disk space
     * and one second.
     */
    private static Path unpackForThisProcess(NativeFiles files, Path cache, IOException reason) {
        try {
            return files.unpackOnce(Files.createTempDirectory("spur-native"));
        } catch (IOException exception) {
            exception.addSuppressed(reason);
            throw new UncheckedIOException(
                    "Cannot unpack OR-Tools to %s (%s) nor to the temporary directory (%s)"
                            .formatted(cache, reason, exception),
                    exception);
        }
    }

    private static Path cacheDirectory() {
        String home = System.getenv("SPUR_HOME");
        Path root = home == null || home.isBlank() ? Path.of(System.getProperty("user.home"), ".spur") : Path.of(home);
        return root.resolve("native").toAbsolutePath();
    }
}
