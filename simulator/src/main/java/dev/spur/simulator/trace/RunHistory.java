package dev.spur.simulator.trace;

import dev.spur.model.Checks;
import dev.spur.model.allocation.Configuration;
import java.util.List;

/**
 * What a job has been through.
 *
 * @param doneSamples effective samples done, at least 0
 * @param ran configurations in which it has made progress, each once, in the order of their first time
 * @param kin the same of all jobs of its family together, as far as this job has heard of it
 */
public record RunHistory(double doneSamples, List<Configuration> ran, List<Configuration> kin) {
    /** The experience of a job that never ran. */
    public static final RunHistory NONE = new RunHistory(0, List.of());

    public RunHistory {
        Checks.atLeast("doneSamples", doneSamples, 0);
        ran = List.copyOf(ran);
        kin = List.copyOf(kin);
    }

    /** The experience of a job that has heard of no other one. */
    public RunHistory(double doneSamples, List<Configuration> ran) {
        this(doneSamples, ran, List.of());
    }
}
