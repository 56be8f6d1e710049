package dev.spur.agent.inventory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Device health from a file written by another program. Each line contains the id of an unhealthy device and, after
 * blanks, the reason. Without the file all devices are healthy.
 *
 * @param file the file, which must be replaced atomically
 */
public record FileDeviceHealth(Path file) implements DeviceHealth {
    @Override
    public Optional<Map<String, String>> failures() {
        try {
            Map<String, String> failures = new TreeMap<>();
            for (String line : Files.readAllLines(file)) {
                String[] fields = line.strip().split("\\s+", 2);
                if (!fields[0].isEmpty()) {
                    failures.put(fields[0], fields.length == 2 ? fields[1] : "stated");
                }
            }
            return Optional.of(failures);
        } catch (NoSuchFileException none) {
            return Optional.of(Map.of());
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
