package dev.spur.prediction.online;

import java.util.Optional;

/**
 * What a report taught.
 *
 * @param learned what is known now
 * @param drift the change that this report made certain; empty if there is none
 */
public record UpdateResult(LearnedSpeed learned, Optional<Drift> drift) {}
