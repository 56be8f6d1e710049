package dev.spur.agent.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Device locks of this node. Each device has one lock file, so that it has at most one holder, even after the agent was
 * killed.
 */
final class DeviceLocks {
    private final Path folder;

    DeviceLocks(Path folder) {
        this.folder = folder;
    }

    /**
     * Locks all of the devices for {@code run}, or none. Devices already held by the run are accepted.
     *
     * @return the devices that it did not hold before; empty if another run holds one
     * @throws IOException if a lock cannot be written; then none is taken
     */
    Optional<List<String>> take(List<String> devices, String run) throws IOException {
        List<String> taken = new ArrayList<>();
        boolean complete = false;
        try {
            for (String device : devices) {
                if (holder(device).filter(run::equals).isPresent()) {
                    continue;
                }
                if (!take(device, run)) {
                    return Optional.empty();
                }
                taken.add(device);
            }
            complete = true;
            return Optional.of(taken);
        } finally {
            if (!complete) {
                release(taken, run);
            }
        }
    }

    /** Releases those of the devices that {@code run} holds. */
    void release(List<String> devices, String run) {
        for (String device : devices) {
            if (holder(device).filter(run::equals).isPresent()) {
                try {
                    Files.deleteIfExists(file(device));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    /** Returns the run that holds the device; empty if none. */
    Optional<String> holder(String device) {
        return SmallFile.read(file(device));
    }

    private boolean take(String device, String run) throws IOException {
        Path file = file(device);
        Path mine = folder.resolve(file.getFileName() + ".of." + run);
        try {
            // a hard link has its content from creation, unlike a new file
            Files.writeString(mine, run);
            Files.createLink(file, mine);
            return true;
        } catch (FileAlreadyExistsException held) {
            return false;
        } finally {
            Files.deleteIfExists(mine);
        }
    }

    private Path file(String device) {
        return folder.resolve(URLEncoder.encode(device, StandardCharsets.UTF_8));
    }
}
