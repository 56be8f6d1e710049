package dev.spur.simulator.eta;

import java.util.SplittableRandom;

/**
 * Sampler of gamma distributions. Source: Marsaglia and Tsang, A Simple Method for Generating Gamma Variables, ACM TOMS
 * 26 (2000).
 */
final class GammaSampler {
    private GammaSampler() {}

    /** Draws from the gamma distribution with {@code shape}, above 0, and scale 1. */
    static double draw(SplittableRandom random, double shape) {
        if (shape < 1) {
            return draw(random, shape + 1) * Math.pow(1 - random.nextDouble(), 1 / shape);
        }
        double d = shape - 1 / 3.0;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double normal = Uncertainty.normal(random);
            double cubed = Math.pow(1 + c * normal, 3);
            if (cubed > 0
                    && Math.log1p(-random.nextDouble()) < normal * normal / 2 + d - d * cubed + d * Math.log(cubed)) {
                return d * cubed;
            }
        }
    }
}
