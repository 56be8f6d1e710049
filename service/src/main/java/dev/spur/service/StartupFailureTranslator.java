package dev.spur.service;

import java.net.BindException;
import java.util.stream.Stream;
import org.springframework.boot.web.server.PortInUseException;

/** Why the program did not start, in the words of the cause that says most. */
final class StartupFailureTranslator {

    private StartupFailureTranslator() {}

    /** One line for people; never a stack trace. */
    static String of(Throwable failure) {
        return causes(failure)
                .filter(StartupFailure.class::isInstance)
                .findFirst()
                .or(() -> causes(failure)
                        .filter(StartupFailureTranslator::isAboutThePort)
                        .findFirst())
                .map(StartupFailureTranslator::inWords)
                .orElseGet(() -> unexpected(failure));
    }

    private static boolean isAboutThePort(Throwable cause) {
        return cause instanceof PortInUseException || cause instanceof BindException;
    }

    private static String inWords(Throwable cause) {
        if (cause instanceof PortInUseException port) {
            return portInUse(port.getPort());
        }
        return String.valueOf(cause.getMessage());
    }

    /** What to say when somebody else listens on the port. */
    static String portInUse(int port) {
        return "Port %d is in use. Stop the program that uses it, or choose another one with --port.".formatted(port);
    }

    /** The innermost cause says what happened; what surrounds it only says to whom. */
    private static String unexpected(Throwable failure) {
        Throwable root = causes(failure).reduce(failure, (outer, inner) -> inner);
        String message = root.getMessage() == null
                ? ""
                : root.getMessage().lines().findFirst().orElse("");
        return "Cannot start: %s (%s). LOGGING_LEVEL_DEV_SPUR=debug shows where."
                .formatted(message.strip(), root.getClass().getSimpleName());
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause);
    }
}
