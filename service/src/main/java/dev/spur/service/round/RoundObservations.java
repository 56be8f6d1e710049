package dev.spur.service.round;

import dev.spur.model.round.RoundPlan;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;

/** What others may watch of a round while it runs. Its times are metrics already, so no metrics are made of these. */
public final class RoundObservations {
    /** Beginning of the names. */
    public static final String PREFIX = "spur.observed.";

    private RoundObservations() {}

    /** A round, from its first step to its record. */
    static Observation round(ObservationRegistry registry, String trigger) {
        return Observation.createNotStarted(PREFIX + "round", registry)
                .contextualName("round")
                .highCardinalityKeyValue("spur.round.trigger", trigger);
    }

    /** Adds what the policy did, and for how long, to the step that runs. */
    static RoundPlan steps(ObservationRegistry registry, RoundPlan plan) {
        Observation running = registry.getCurrentObservation();
        if (running != null && !running.isNoop()) {
            plan.stats()
                    .steps()
                    .forEach(step -> running.highCardinalityKeyValue(
                            "spur.plan." + step.step(), String.format(Locale.ROOT, "%.1f ms", step.milliseconds())));
        }
        return plan;
    }

    /** A step of a round. */
    static Observation step(ObservationRegistry registry, String name) {
        return Observation.createNotStarted(PREFIX + "step", registry).contextualName("round " + name);
    }
}
