package dev.spur.service;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.Locale;

/** What went wrong with a file, in words: the messages of the JDK are often no more than the path. */
public final class IoMessages {

    private IoMessages() {}

    /** File and cause, without a full stop. */
    public static String of(IOException e) {
        if (e instanceof AccessDeniedException denied) {
            return denied.getFile() + ": permission denied";
        }
        if (e instanceof FileSystemException failure && failure.getReason() == null) {
            return "%s: %s".formatted(failure.getFile(), inWords(failure));
        }
        return String.valueOf(e.getMessage());
    }

    /** For example "not directory" for a {@code NotDirectoryException}. */
    private static String inWords(FileSystemException failure) {
        return failure.getClass()
                .getSimpleName()
                .replace("Exception", "")
                .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT);
    }
}
