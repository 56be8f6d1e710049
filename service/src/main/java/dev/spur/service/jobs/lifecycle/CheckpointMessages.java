package dev.spur.service.jobs.lifecycle;

import dev.spur.service.web.contract.FieldError;

/** Errors of checkpoint directories that jobs would share. */
final class CheckpointMessages {
    private static final String PLACE = "/command/checkpointDir";

    private CheckpointMessages() {}

    /** Two active jobs would resume from each other's generations, and the later one would fence the earlier one. */
    static FieldError sharedWithActive(String job) {
        return FieldError.at(
                PLACE,
                "is the checkpoint directory of the active job %s: name another one, or wait for its end"
                        .formatted(job));
    }

    /** A job keeps its generations when its command changes, so that later ones in the directory would fence it. */
    static FieldError changedToThatOf(String job) {
        return FieldError.at(
                PLACE,
                "is the checkpoint directory of the job %s: name another one, or submit a new job".formatted(job));
    }
}
