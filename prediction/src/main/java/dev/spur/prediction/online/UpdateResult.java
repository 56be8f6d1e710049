package dev.spur.prediction.online;

import java.util.Optional;

/**
 * The result of an update with a report.
 *
 * @param learned the updated speed
 * @param drift the change that this report detected; empty if there is none
 */
public record UpdateResult(LearnedSpeed learned, Optional<Drift> drift) {}
