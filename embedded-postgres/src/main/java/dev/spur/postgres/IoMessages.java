package dev.spur.postgres;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.Locale;

/** Readable messages of file errors. The JDK's own messages often contain only the path. */
final class IoMessages {

    private IoMessages() {}

    /** The file and the cause, without a full stop. */
    static String of(IOException e) {
        if (e instanceof AccessDeniedException denied) {
            return denied.getFile() + ": permission denied";
        }
        if (e instanceof FileSystemException failure && failure.getReason() == null) {
            return "%s: %s".formatted(failure.getFile(), describe(failure));
        }
        return String.valueOf(e.getMessage());
    }

    /** The type of the exception in words, e.g. "not directory" for a {@code NotDirectoryException}. */
    private static String describe(FileSystemException failure) {
        return failure.getClass()
                .getSimpleName()
                .replace("Exception", "")
                .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT);
    }
}
