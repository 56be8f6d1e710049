package dev.spur.model.performance;

import dev.spur.model.Checks;
import java.util.List;

/**
 * A model family with its measurements.
 *
 * @param name name of the family
 * @param measurements one for each accelerator type and configuration
 */
public record MeasuredFamily(String name, List<FamilyMeasurement> measurements) {
    public MeasuredFamily {
        Checks.nonBlank("name", name);
        measurements = Checks.copy(measurements);
    }
}
