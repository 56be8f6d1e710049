package dev.spur.service.round;

import dev.spur.model.round.StepTime;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Runs the steps of a round, observes each under its name, and records their times. */
final class RoundSteps {
    private final ObservationRegistry observations;
    private final List<StepTime> times = new ArrayList<>();

    RoundSteps(ObservationRegistry observations) {
        this.observations = observations;
    }

    /** A step with a result. */
    interface Step<T> {
        T run() throws InterruptedException;
    }

    <T> T run(String name, Step<T> step) throws InterruptedException {
        long start = System.nanoTime();
        try {
            return RoundObservations.step(observations, name).observeChecked(step::run);
        } finally {
            times.add(new StepTime(name, (System.nanoTime() - start) / 1e6));
        }
    }

    /** As above, for a step that does not block. */
    <T> T time(String name, Supplier<T> step) {
        long start = System.nanoTime();
        try {
            return RoundObservations.step(observations, name).observe(step);
        } finally {
            times.add(new StepTime(name, (System.nanoTime() - start) / 1e6));
        }
    }

    List<StepTime> times() {
        return List.copyOf(times);
    }
}
