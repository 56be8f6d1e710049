package dev.spur.model.performance;

import dev.spur.model.Checks;

/**
 * The speed of an accelerator type without measured points, relative to a measured type.
 *
 * @param acceleratorType the type without measured points
 * @param like a measured type
 * @param factor throughput of {@code acceleratorType} over that of {@code like}, in every configuration; above 0
 */
public record TypeRatio(String acceleratorType, String like, double factor) {
    public TypeRatio {
        Checks.nonBlank("acceleratorType", acceleratorType);
        Checks.nonBlank("like", like);
        Checks.positive("factor", factor);
    }
}
