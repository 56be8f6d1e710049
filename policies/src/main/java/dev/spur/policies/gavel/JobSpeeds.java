package dev.spur.policies.gavel;

import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.RoundView;
import java.util.ArrayList;
import java.util.List;

/**
 * Speeds of rigid jobs on the partitions: actual, with equal shares, and isolated. Contains only jobs that run in some
 * partition.
 */
final class JobSpeeds {
    private final RoundView view;
    private final boolean blind;
    private final List<Integer> jobs = new ArrayList<>();

    JobSpeeds(RoundView view) {
        this(view, false);
    }

    /**
     * Creates the speeds.
     *
     * @param blind true to treat every job as equally fast wherever it runs
     */
    JobSpeeds(RoundView view, boolean blind) {
        this.view = view;
        this.blind = blind;
        for (int j = 0; j < view.jobs(); j++) {
            int job = j;
            if (view.partitions().stream().anyMatch(partition -> on(job, partition) > 0)) {
                jobs.add(j);
            }
        }
    }

    /** Returns true if every job counts as equally fast wherever it runs. */
    boolean isBlind() {
        return blind;
    }

    RoundView view() {
        return view;
    }

    /** Returns the jobs that run in some partition. */
    List<Integer> jobs() {
        return jobs;
    }

    /** Returns the slots of job {@code j} in any partition. */
    int slots(int j) {
        return view.requestedSlots(j);
    }

    /**
     * Returns the goodput of job {@code j} with its slots in {@code partition}, in samples per second; 0 where it may
     * not run.
     */
    double on(int j, NodePartition partition) {
        boolean open = slots(j) <= partition.slots() && view.partitionsOf(j).contains(partition);
        double speed = open ? view.goodput(j, partition, slots(j)) : 0;
        return blind && speed > 0 ? 1 : speed;
    }

    /**
     * Returns the speed with a share of time on each partition in proportion to its slots; it does not depend on other
     * jobs.
     */
    double equal(int j) {
        double sum = 0;
        for (NodePartition partition : view.partitions()) {
            sum += on(j, partition) * partition.slots();
        }
        return sum / view.slots();
    }

    /** Returns the speed on a private share of each partition, equal for all jobs. */
    double isolatedSpeed(int j) {
        double sum = 0;
        double shares = 0;
        for (NodePartition partition : view.partitions()) {
            double share = (double) partition.slots() / (jobs.size() * slots(j));
            sum += on(j, partition) * share;
            shares += share;
        }
        return sum / Math.max(1, shares);
    }
}
