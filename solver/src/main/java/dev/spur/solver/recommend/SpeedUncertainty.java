package dev.spur.solver.recommend;

import dev.spur.model.allocation.Configuration;

/** How sure the speeds of a profile are. True speeds are taken to be spread about them by log-normal distributions. */
@FunctionalInterface
public interface SpeedUncertainty {
    /** Speeds that are as stated. */
    SpeedUncertainty CERTAIN = configuration -> 0;

    /** Standard deviation of the logarithm of the speed in {@code configuration}, at least 0. */
    double of(Configuration configuration);
}
