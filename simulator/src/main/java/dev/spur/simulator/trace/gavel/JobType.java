package dev.spur.simulator.trace.gavel;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Job type of a trace: a model at a batch size.
 *
 * @param model name of the model
 * @param batch samples of one step; 1 if the type states none
 * @param stated true if the type states a batch size
 */
record JobType(String model, int batch, boolean stated) {
    private static final Pattern WITH_BATCH = Pattern.compile("(.+) \\(batch size (\\d+)\\)");

    static JobType of(String text) {
        Matcher matcher = WITH_BATCH.matcher(text);
        return matcher.matches()
                ? new JobType(matcher.group(1), Integer.parseInt(matcher.group(2)), true)
                : new JobType(text, 1, false);
    }

    /** Returns the same model at another batch size. */
    JobType withBatch(int other) {
        return new JobType(model, other, stated);
    }

    /** Returns the job type in the notation of traces and tables. */
    String text() {
        return stated ? "%s (batch size %d)".formatted(model, batch) : model;
    }
}
