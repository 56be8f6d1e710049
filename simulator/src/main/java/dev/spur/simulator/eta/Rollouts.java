package dev.spur.simulator.eta;

import dev.spur.simulator.replay.Rollout;
import dev.spur.simulator.replay.SimulatedTimes;
import java.util.ArrayList;
import java.util.List;

/**
 * Simulations of the same horizon. The first one sets the horizon if it stops early; others that do not reach it are
 * discarded.
 */
final class Rollouts {
    private final List<Rollout> rollouts = new ArrayList<>();
    private double until;

    /** @param until end of the horizon, seconds on the clock of the problem */
    Rollouts(double until) {
        this.until = until;
    }

    /** Adds a simulation if it reached the horizon, and returns true if it did. */
    boolean add(Rollout rollout) {
        boolean far = rollout.reached() >= until;
        if (rollouts.isEmpty() && !far) {
            until = rollout.reached();
            far = true;
        }
        if (far) {
            rollouts.add(rollout);
        }
        return far;
    }

    double until() {
        return until;
    }

    int count() {
        return rollouts.size();
    }

    int rounds() {
        return rollouts.stream().mapToInt(Rollout::rounds).sum();
    }

    /** Returns the times of a job in a simulation. */
    SimulatedTimes times(int sample, String id) {
        return rollouts.get(sample).timesById().getOrDefault(id, new SimulatedTimes(null, null));
    }
}
