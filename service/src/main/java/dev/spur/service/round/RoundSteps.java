package dev.spur.service.round;

import dev.spur.model.round.StepTime;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Runs the steps of a round, each observed under its name, and keeps their times. */
final class RoundSteps {
    private final ObservationRegistry observations;
    private final List<StepTime> times = new ArrayList<>();

    RoundSteps(ObservationRegistry observations) {
        this.observations = observations;
    }

    /** A step that gives something. */
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

    /** The same for a step that waits for nothing. */
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
