package dev.spur.service;

import dev.spur.postgres.EmbeddedPostgresException;
import java.net.BindException;
import java.util.stream.Stream;
import org.springframework.boot.web.server.PortInUseException;

/** Translates exceptions at startup into one line of output, based on the most informative cause. */
final class StartupFailureTranslator {

    private StartupFailureTranslator() {}

    /** One line without a stack trace. */
    static String of(Throwable failure) {
        return causes(failure)
                .filter(cause -> cause instanceof StartupFailure || cause instanceof EmbeddedPostgresException)
                .findFirst()
                .or(() -> causes(failure)
                        .filter(StartupFailureTranslator::isPortConflict)
                        .findFirst())
                .map(StartupFailureTranslator::describe)
                .orElseGet(() -> unexpected(failure));
    }

    private static boolean isPortConflict(Throwable cause) {
        return cause instanceof PortInUseException || cause instanceof BindException;
    }

    private static String describe(Throwable cause) {
        if (cause instanceof PortInUseException port) {
            return portInUse(port.getPort());
        }
        return String.valueOf(cause.getMessage());
    }

    /** Message for a port that another program listens on. */
    static String portInUse(int port) {
        return "Port %d is in use. Stop the program that uses it, or choose another one with --port.".formatted(port);
    }

    /** Message of an unexpected failure, taken from the innermost cause. */
    private static String unexpected(Throwable failure) {
        Throwable root = causes(failure).reduce(failure, (outer, inner) -> inner);
        String message = root.getMessage() == null
                ? ""
                : root.getMessage().lines().findFirst().orElse("");
        return "Cannot start: %s (%s). Set LOGGING_LEVEL_DEV_SPUR=debug to log the stack trace."
                .formatted(message.strip(), root.getClass().getSimpleName());
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause);
    }
}
