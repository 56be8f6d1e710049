package dev.spur.solver.recommend;

import dev.spur.model.allocation.Configuration;

/** Uncertainty of the speeds of a profile. True speeds have log-normal distributions around them. */
@FunctionalInterface
public interface SpeedUncertainty {
    /** Speeds without uncertainty. */
    SpeedUncertainty CERTAIN = configuration -> 0;

    /** Returns the standard deviation of the logarithm of the speed in {@code configuration}, at least 0. */
    double of(Configuration configuration);
}
