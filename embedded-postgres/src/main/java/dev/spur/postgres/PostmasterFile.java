package dev.spur.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * State of a running server as recorded in {@code postmaster.pid}.
 *
 * @param process its process id
 * @param port the TCP port, 0 if not yet known
 * @param ready true if it accepts connections
 */
record PostmasterFile(long process, int port, boolean ready) {

    private static final int PORT_LINE = 3;
    private static final int STATUS_LINE = 7;

    /** Reads the file of a data directory; returns empty if there is no file or a server is writing it. */
    static Optional<PostmasterFile> in(Path data) throws IOException {
        try {
            return parse(Files.readAllLines(data.resolve("postmaster.pid")));
        } catch (NoSuchFileException exception) {
            return Optional.empty();
        }
    }

    static Optional<PostmasterFile> parse(List<String> lines) {
        try {
            return Optional.of(new PostmasterFile(
                    Long.parseLong(line(lines, 0)),
                    Integer.parseInt("0" + line(lines, PORT_LINE)),
                    line(lines, STATUS_LINE).equals("ready")));
        } catch (NumberFormatException exception) {
            return Optional.empty();
        }
    }

    private static String line(List<String> lines, int index) {
        return index < lines.size() ? lines.get(index).strip() : "";
    }
}
