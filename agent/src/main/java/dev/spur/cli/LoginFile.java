package dev.spur.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** File with the URL of a service and a token, which only its owner can read (mode 600). */
record LoginFile(Path path) {
    private static final String URL = "url";
    private static final String TOKEN = "token";

    /**
     * Contents of the file.
     *
     * @param url URL of the service
     * @param token token for this service; empty if it requires none
     */
    record Login(String url, Optional<String> token) {}

    /** Returns the file of the user: {@code spur/login} in {@code XDG_CONFIG_HOME}, by default {@code ~/.config}. */
    static LoginFile ofUser(Map<String, String> environment) {
        String folder = environment.getOrDefault("XDG_CONFIG_HOME", "");
        Path config = folder.isEmpty() ? Path.of(System.getProperty("user.home"), ".config") : Path.of(folder);
        return new LoginFile(config.resolve("spur").resolve("login"));
    }

    /**
     * Returns the contents; empty without a file.
     *
     * @throws CommandFailure if the file cannot be read or names no URL
     */
    Optional<Login> read() {
        if (!Files.exists(path)) {
            return Optional.empty();
        }
        Map<String, String> values;
        try {
            values = Files.readAllLines(path).stream()
                    .map(line -> line.split("=", 2))
                    .filter(pair -> pair.length == 2)
                    .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1], (first, second) -> second));
        } catch (IOException unreadable) {
            throw unusable("cannot be read: " + unreadable.getMessage());
        }
        String url = values.get(URL);
        if (url == null) {
            throw unusable("names no url");
        }
        return Optional.of(new Login(url, Optional.ofNullable(values.get(TOKEN)).filter(token -> !token.isEmpty())));
    }

    /** Replaces the file. Its folder is created if it does not exist. */
    void write(Login login) {
        String text = "%s=%s%n%s=%s%n"
                .formatted(URL, login.url(), TOKEN, login.token().orElse(""));
        Path folder = path.toAbsolutePath().getParent();
        try {
            Files.createDirectories(folder);
            // The rename replaces the file at once, and the token is never in a file that others can read.
            Path file = Files.createTempFile(
                    folder,
                    "login",
                    "",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(file, text.getBytes(StandardCharsets.UTF_8));
            Files.move(file, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new CommandFailure(
                    "The file %s was not written: %s. Make its folder writable, or set XDG_CONFIG_HOME."
                            .formatted(path, failed.getMessage()));
        }
    }

    /** Deletes the file. Returns whether it existed. */
    boolean delete() {
        try {
            return Files.deleteIfExists(path);
        } catch (IOException failed) {
            throw new CommandFailure(
                    "The file %s was not deleted: %s. Delete it by hand.".formatted(path, failed.getMessage()));
        }
    }

    private CommandFailure unusable(String cause) {
        return CommandFailure.ofInput(
                "The file %s %s. Run ./spur login again, or delete the file.".formatted(path, cause));
    }
}
