package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import dev.spur.model.allocation.Configuration;
import java.util.List;

/**
 * Run history of a job.
 *
 * @param doneSamples effective samples done, at least 0
 * @param pastConfigurations configurations in which it has made progress, without duplicates, in the order of first use
 * @param familyConfigurations configurations of all jobs of its family, in the same form, as far as this job has
 *     received them
 */
public record RunHistory(
        double doneSamples, List<Configuration> pastConfigurations, List<Configuration> familyConfigurations) {
    /** Run history of a job that never ran. */
    public static final RunHistory NONE = new RunHistory(0, List.of());

    public RunHistory {
        Checks.atLeast("doneSamples", doneSamples, 0);
        pastConfigurations = List.copyOf(pastConfigurations);
        familyConfigurations = List.copyOf(familyConfigurations);
    }

    /** Run history of a job without observations from its family. */
    public RunHistory(double doneSamples, List<Configuration> pastConfigurations) {
        this(doneSamples, pastConfigurations, List.of());
    }
}
