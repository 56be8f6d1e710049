package dev.spur.service.database.postgres;

import org.flywaydb.core.api.FlywayException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.NestedExceptionUtils;

/** Analysis of migrations that fail, most often on tables that Spur did not create. */
final class MigrationFailureAnalyzer extends AbstractFailureAnalyzer<FlywayException> {
    @Override
    protected FailureAnalysis analyze(Throwable failure, FlywayException cause) {
        Throwable root = NestedExceptionUtils.getMostSpecificCause(cause);
        String detail = root == cause ? line(cause, 1) : line(root, 0);
        return new FailureAnalysis(
                "The database cannot be migrated: %s (%s).".formatted(line(cause, 0), detail),
                "Set SPUR_DATABASE_URL to an empty database or to one of Spur, or restore an export into an empty one.",
                cause);
    }

    private static String line(Throwable failure, int index) {
        return String.valueOf(failure.getMessage())
                .lines()
                .filter(line -> !line.isBlank())
                .skip(index)
                .findFirst()
                .orElse("")
                .strip();
    }
}
