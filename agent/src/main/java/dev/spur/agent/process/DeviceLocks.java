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
 * Which run holds which device of this node. A device has one file, so it has one holder, also after the agent was
 * killed at any moment.
 */
final class DeviceLocks {
    private final Path folder;

    DeviceLocks(Path folder) {
        this.folder = folder;
    }

    /** Takes all of the devices for {@code run}, or none. Devices that it holds already are fine. */
    boolean take(List<String> devices, String run) {
        List<String> taken = new ArrayList<>();
        for (String device : devices) {
            if (holder(device).filter(run::equals).isPresent()) {
                continue;
            }
            if (!take(device, run)) {
                taken.forEach(mine -> release(List.of(mine), run));
                return false;
            }
            taken.add(device);
        }
        return true;
    }

    /** Gives up those of the devices that {@code run} holds. */
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

    /** The run that holds the device, if one does. */
    Optional<String> holder(String device) {
        return SmallFile.read(file(device));
    }

    private boolean take(String device, String run) {
        Path file = file(device);
        Path mine = folder.resolve(file.getFileName() + ".of." + run);
        try {
            // A link, unlike a new file, has its content from the first moment on.
            Files.writeString(mine, run);
            try {
                Files.createLink(file, mine);
                return true;
            } catch (FileAlreadyExistsException held) {
                return false;
            } finally {
                Files.deleteIfExists(mine);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file(String device) {
        return folder.resolve(URLEncoder.encode(device, StandardCharsets.UTF_8));
    }
}
