package dev.spur.service.startup;

import dev.spur.postgres.EmbeddedPostgresException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** Analysis of expected failures, whose message states the problem and the remedy. */
final class StartupFailureAnalyzer implements FailureAnalyzer {
    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .filter(cause -> cause instanceof StartupFailure || cause instanceof EmbeddedPostgresException)
                .findFirst()
                .map(cause -> new FailureAnalysis(String.valueOf(cause.getMessage()), null, cause))
                .orElse(null);
    }
}
