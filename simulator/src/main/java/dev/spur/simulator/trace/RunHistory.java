package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import dev.spur.model.allocation.Configuration;
import java.util.List;

/**
 * Run history of a job.
 *
 * @param doneSamples effective samples done, at least 0
 * @param ran configurations in which it has made progress, without duplicates, in the order of first use
 * @param familyRuns configurations of all jobs of its family, in the same form, as far as this job has received them
 */
public record RunHistory(double doneSamples, List<Configuration> ran, List<Configuration> familyRuns) {
    /** Run history of a job that never ran. */
    public static final RunHistory NONE = new RunHistory(0, List.of());

    public RunHistory {
        Checks.atLeast("doneSamples", doneSamples, 0);
        ran = List.copyOf(ran);
        familyRuns = List.copyOf(familyRuns);
    }

    /** Run history of a job without observations from its family. */
    public RunHistory(double doneSamples, List<Configuration> ran) {
        this(doneSamples, ran, List.of());
    }
}
