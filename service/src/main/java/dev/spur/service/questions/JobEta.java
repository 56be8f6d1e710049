package dev.spur.service.questions;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** ETA of a job. Members as in the contract. */
public record JobEta(
        long revision,
        Instant madeAt,
        double coverage,
        @Nullable Eta start,
        Eta completion) {}
