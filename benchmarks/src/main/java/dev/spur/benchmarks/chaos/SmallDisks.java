package dev.spur.benchmarks.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** File systems in memory, which a fault can fill. */
final class SmallDisks implements AutoCloseable {
    private final List<Path> disks = new ArrayList<>();

    /** Mounts a file system at {@code disk}; a folder of the present one stays where this user may not mount. */
    void mount(Path disk, String mib) throws IOException, InterruptedException {
        Files.createDirectories(disk);
        if (MachineCommand.run("mount", "-t", "tmpfs", "-o", "size=" + mib + "m", "tmpfs", disk.toString()) == 0) {
            disks.add(disk);
        }
    }

    /** Returns the number of file systems that were mounted. */
    int count() {
        return disks.size();
    }

    /** Unmounts all of them. */
    @Override
    public void close() throws IOException {
        for (Path disk : disks) {
            try {
                MachineCommand.run("umount", "--lazy", disk.toString());
            } catch (InterruptedException e) {
                // The command has been started and ends on its own.
                Thread.currentThread().interrupt();
            }
        }
    }
}
