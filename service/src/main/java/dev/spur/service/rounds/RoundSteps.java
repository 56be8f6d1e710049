package dev.spur.service.rounds;

import dev.spur.model.round.RoundPlan;
import dev.spur.model.round.StepTime;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Runs the steps of a round, observes each under its name, and records their times. The observations are excluded from
 * metrics, because the times of rounds are metrics already.
 */
public final class RoundSteps {
    /** Prefix of the names of observations. */
    public static final String OBSERVATION_PREFIX = "spur.observed.";

    private final ObservationRegistry observations;
    private final List<StepTime> times = new ArrayList<>();

    RoundSteps(ObservationRegistry observations) {
        this.observations = observations;
    }

    /** A step with a result. */
    interface Step<T> {
        T run() throws InterruptedException;
    }

    /** The observation of a whole round, from its first step to its record. */
    static Observation ofRound(ObservationRegistry registry, String trigger) {
        return Observation.createNotStarted(OBSERVATION_PREFIX + "round", registry)
                .contextualName("round")
                .highCardinalityKeyValue("spur.round.trigger", trigger);
    }

    <T> T run(String name, Step<T> step) throws InterruptedException {
        long start = System.nanoTime();
        try {
            return observation(name).observeChecked(step::run);
        } finally {
            times.add(new StepTime(name, (System.nanoTime() - start) / 1e6));
        }
    }

    /** As above, for a step that does not block. */
    <T> T time(String name, Supplier<T> step) {
        long start = System.nanoTime();
        try {
            return observation(name).observe(step);
        } finally {
            times.add(new StepTime(name, (System.nanoTime() - start) / 1e6));
        }
    }

    private Observation observation(String name) {
        return Observation.createNotStarted(OBSERVATION_PREFIX + "step", observations)
                .contextualName("round " + name);
    }

    /** Adds the steps of the policy and their times to the observation of the current step. */
    RoundPlan withTimes(RoundPlan plan) {
        Observation running = observations.getCurrentObservation();
        if (running != null && !running.isNoop()) {
            plan.stats()
                    .steps()
                    .forEach(step -> running.highCardinalityKeyValue(
                            "spur.plan." + step.step(), String.format(Locale.ROOT, "%.1f ms", step.milliseconds())));
        }
        return plan;
    }

    List<StepTime> times() {
        return List.copyOf(times);
    }
}
