package dev.spur.agent.reconcile;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checkpoints of jobs, as far as this node can read them. */
public interface CheckpointStore {

    /** Returns the folder that has the checkpoints of the jobs of a tenant that specify none. */
    Path folder(@Nullable String tenant);

    /**
     * Returns the names of the folders in {@code root} that begin with {@code gen-} and are not empty.
     *
     * @throws IOException if {@code root} is a folder that cannot be read
     */
    List<String> generations(@Nullable String tenant, Path root) throws IOException;

    /** Returns the checkpoints below {@code folder}, without folders of tenants, read by this program. */
    static CheckpointStore of(Path folder) {
        return new CheckpointStore() {
            @Override
            public Path folder(@Nullable String tenant) {
                return folder;
            }

            @Override
            public List<String> generations(@Nullable String tenant, Path root) throws IOException {
                return list(root);
            }
        };
    }

    private static List<String> list(Path root) throws IOException {
        List<String> names = new ArrayList<>();
        if (Files.isDirectory(root)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(root, "gen-*")) {
                for (Path one : all) {
                    if (hasContent(one)) {
                        names.add(one.getFileName().toString());
                    }
                }
            }
        }
        return names;
    }

    private static boolean hasContent(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            return files.iterator().hasNext();
        }
    }
}
