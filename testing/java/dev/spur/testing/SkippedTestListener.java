package dev.spur.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Appends each skipped test class or method, with the reason, to the file that the system property {@code skipped.tests} names.
 * Surefire does not report a class that is skipped as a whole.
 */
public final class SkippedTestListener implements TestExecutionListener {
    private static final String FILE = "skipped.tests";

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        append(test, reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            append(test, result.getThrowable().map(Throwable::getMessage).orElse("no reason given"));
        }
    }

    private static void append(TestIdentifier test, String reason) {
        String file = System.getProperty(FILE);
        if (file == null) {
            return;
        }
        String name = test.getSource().map(SkippedTestListener::name).orElse(test.getDisplayName());
        try {
            Path path = Path.of(file);
            Files.createDirectories(path.getParent());
            Files.writeString(
                    path, "%s: %s%n".formatted(name, reason), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String name(TestSource source) {
        if (source instanceof MethodSource method) {
            return method.getClassName() + "." + method.getMethodName();
        }
        return source instanceof ClassSource type ? type.getClassName() : source.toString();
    }
}
