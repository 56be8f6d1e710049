package dev.spur.postgres;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Operations on a directory and everything below it. */
final class FileTree {

    private FileTree() {}

    /** Deletes the tree; does nothing if it does not exist. */
    static void delete(Path root) throws IOException {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        forEach(root, Files::delete);
    }

    /** Changes the owner of the tree to the user with this numeric id; requires the rights of root. */
    static void chown(Path root, int user) throws IOException {
        forEach(root, path -> Files.setAttribute(path, "unix:uid", user, LinkOption.NOFOLLOW_LINKS));
    }

    /** Visits all files, the content of a directory before the directory. */
    private static void forEach(Path root, Action action) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                action.on(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                if (failure != null) {
                    throw failure;
                }
                action.on(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @FunctionalInterface
    private interface Action {
        void on(Path path) throws IOException;
    }
}
