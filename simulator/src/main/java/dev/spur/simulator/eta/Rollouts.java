package dev.spur.simulator.eta;

import dev.spur.simulator.replay.Rollout;
import dev.spur.simulator.replay.SimulatedTimes;
import java.util.ArrayList;
import java.util.List;

/**
 * Replays of the same time: as far as the first one came all others must come, and one that does not is not counted.
 */
final class Rollouts {
    private final List<Rollout> all = new ArrayList<>();
    private double until;

    /** @param until how far they are to go, seconds on the clock of the problem */
    Rollouts(double until) {
        this.until = until;
    }

    /** Counts a replay if it came far enough, and says whether. */
    boolean add(Rollout course) {
        boolean far = course.reached() >= until;
        if (all.isEmpty() && !far) {
            until = course.reached();
            far = true;
        }
        if (far) {
            all.add(course);
        }
        return far;
    }

    double until() {
        return until;
    }

    int count() {
        return all.size();
    }

    int rounds() {
        return all.stream().mapToInt(Rollout::rounds).sum();
    }

    /** What becomes of a job in a replay. */
    SimulatedTimes fate(int sample, String id) {
        return all.get(sample).fates().getOrDefault(id, new SimulatedTimes(null, null));
    }
}
