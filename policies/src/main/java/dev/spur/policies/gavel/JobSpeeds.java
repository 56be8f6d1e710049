package dev.spur.policies.gavel;

import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.RoundView;
import java.util.ArrayList;
import java.util.List;

/**
 * Jobs that run somewhere, their fixed slots, and how fast they are on the lanes: by time, equally shared, and
 * isolated.
 */
final class JobSpeeds {
    private final RoundView snapshot;
    private final boolean blind;
    private final List<Integer> jobs = new ArrayList<>();

    JobSpeeds(RoundView snapshot) {
        this(snapshot, false);
    }

    /** @param blind true if every job is to seem equally fast wherever it runs */
    JobSpeeds(RoundView snapshot, boolean blind) {
        this.snapshot = snapshot;
        this.blind = blind;
        for (int j = 0; j < snapshot.jobs(); j++) {
            int job = j;
            if (snapshot.lanes().stream().anyMatch(lane -> on(job, lane) > 0)) {
                jobs.add(j);
            }
        }
    }

    /** True if every job seems equally fast wherever it runs. */
    boolean isBlind() {
        return blind;
    }

    RoundView snapshot() {
        return snapshot;
    }

    /** The jobs that run in some lane. */
    List<Integer> jobs() {
        return jobs;
    }

    /** Slots of job {@code j}, wherever it runs. */
    int slots(int j) {
        return snapshot.requested(j);
    }

    /** Useful samples per second of job {@code j} while it has its slots in {@code lane}; 0 where it may not run. */
    double on(int j, NodePartition lane) {
        boolean open = slots(j) <= lane.slots() && snapshot.lanesOf(j).contains(lane);
        double speed = open ? snapshot.goodput(j, lane, slots(j)) : 0;
        return blind && speed > 0 ? 1 : speed;
    }

    /** Speed with a share of time on each lane in proportion to its slots; does not depend on the other jobs. */
    double equal(int j) {
        double sum = 0;
        for (NodePartition lane : snapshot.lanes()) {
            sum += on(j, lane) * lane.slots();
        }
        return sum / snapshot.slots();
    }

    /** Speed with a private part of each lane, as large as everybody else's. */
    double isolated(int j) {
        double sum = 0;
        double shares = 0;
        for (NodePartition lane : snapshot.lanes()) {
            double share = (double) lane.slots() / (jobs.size() * slots(j));
            sum += on(j, lane) * share;
            shares += share;
        }
        return sum / Math.max(1, shares);
    }
}
