package dev.spur.service.startup;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalysisReporter;
import org.springframework.core.NestedExceptionUtils;

/** Keeps the analysis of a failed start until the command line prints it. */
public final class StartupFailureReporter implements FailureAnalysisReporter {
    private static volatile @Nullable FailureAnalysis last;

    @Override
    public void report(FailureAnalysis analysis) {
        last = analysis;
    }

    /** Returns what failed and the remedy, without a stack trace. */
    public static String text(Throwable failure) {
        FailureAnalysis reported = last;
        boolean isReported = reported != null && causes(failure).anyMatch(cause -> cause == reported.getCause());
        FailureAnalysis analysis = isReported ? reported : new StartupFailureAnalyzer().analyze(failure);
        if (analysis == null) {
            return describe(failure);
        }
        return analysis.getAction() == null
                ? analysis.getDescription()
                : analysis.getDescription() + " " + analysis.getAction();
    }

    private static String describe(Throwable failure) {
        Throwable root = NestedExceptionUtils.getMostSpecificCause(failure);
        String message = String.valueOf(root.getMessage()).lines().findFirst().orElse("");
        return "Cannot start: %s (%s). Set LOGGING_LEVEL_DEV_SPUR=debug to log the stack trace."
                .formatted(message.strip(), root.getClass().getSimpleName());
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause);
    }
}
