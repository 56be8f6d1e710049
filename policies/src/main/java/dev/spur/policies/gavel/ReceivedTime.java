package dev.spur.policies.gavel;

import dev.spur.policies.gavel.ShareProgram.Shares;
import dev.spur.policies.support.NodePartition;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Time that jobs received in each partition since the last change of shares, and their deficits at that change. The
 * memory holds shares, times and deficits by job and partition.
 */
final class ReceivedTime {
    /** Time credited in advance, in seconds, so that the first fractions are stable: half a round of the paper. */
    static final double CREDIT = 180;

    private static final String PREFIX = "gavel/";

    private final JobSpeeds speed;
    private final Map<String, Double> before;
    private final Map<String, Double> time = new HashMap<>();
    private final Map<String, Double> deficit = new HashMap<>();
    private final Map<NodePartition, Double> timeOfAll = new HashMap<>();
    private final double since;

    ReceivedTime(JobSpeeds speed) {
        this.speed = speed;
        this.before = speed.view().problem().memory().counters();
        this.since = before.getOrDefault(PREFIX + "since", now());
        double elapsed = now() - before.getOrDefault(PREFIX + "now", now());
        for (int j : speed.jobs()) {
            for (NodePartition partition : speed.view().partitions()) {
                double had = partition.equals(speed.view().heldPartition(j)) ? elapsed : 0;
                time.put(key(j, partition), before.getOrDefault(PREFIX + "time/" + key(j, partition), CREDIT) + had);
                deficit.put(key(j, partition), before.getOrDefault(PREFIX + "deficit/" + key(j, partition), 0.0));
            }
        }
    }

    private double now() {
        return speed.view().now();
    }

    private String key(int j, NodePartition partition) {
        return speed.view().job(j).id() + "/" + partition.pool() + "/" + partition.type();
    }

    /**
     * Returns the shares of the last round. Empty if there are none, or if the jobs have changed and the shares are at
     * least {@code seconds} old. Jobs that arrived later have no share.
     */
    Optional<Shares> cachedShares(double seconds) {
        if (!before.containsKey(PREFIX + "since")) {
            return Optional.empty();
        }
        Shares shares = new Shares();
        boolean all = before.getOrDefault(PREFIX + "jobs", 0.0).intValue()
                == speed.jobs().size();
        for (int j : speed.jobs()) {
            for (NodePartition partition : speed.view().partitions()) {
                Double share = before.get(PREFIX + "share/" + key(j, partition));
                if (share != null) {
                    shares.put(j, partition, share);
                }
                all &= share != null;
            }
        }
        return all || (since > 0 && now() - since < seconds) ? Optional.of(shares) : Optional.empty();
    }

    /** Returns true if the shares of the last round were computed without job {@code j}. */
    boolean isNew(int j) {
        return speed.view().partitions().stream()
                .noneMatch(partition -> before.containsKey(PREFIX + "share/" + key(j, partition)));
    }

    /** Starts a new period: adds the difference between due and received time to the deficits, and resets the times. */
    void updateDeficits() {
        double elapsed = now() - since;
        for (int j : speed.jobs()) {
            for (NodePartition partition : speed.view().partitions()) {
                String key = key(j, partition);
                double due = before.getOrDefault(PREFIX + "share/" + key, 0.0) * elapsed;
                double had = time.getOrDefault(key, CREDIT) - CREDIT;
                deficit.merge(key, due - had, Double::sum);
                time.put(key, CREDIT);
            }
        }
    }

    /** Returns the fraction of the time received in {@code partition} that job {@code j} had. */
    double fraction(int j, NodePartition partition) {
        double all = timeOfAll.computeIfAbsent(
                partition,
                l -> speed.jobs().stream()
                        .mapToDouble(other -> time.getOrDefault(key(other, l), CREDIT))
                        .sum());
        return all == 0 ? 0 : time.getOrDefault(key(j, partition), CREDIT) / all;
    }

    /** Returns the seconds in {@code partition} that job {@code j} was due but did not receive. */
    double deficit(int j, NodePartition partition) {
        return deficit.getOrDefault(key(j, partition), 0.0);
    }

    /**
     * Stores shares, times and deficits.
     *
     * @param changed true if the shares are new
     */
    void remember(Shares shares, boolean changed, Map<String, Double> counters) {
        counters.put(PREFIX + "now", now());
        counters.put(PREFIX + "since", changed ? now() : since);
        counters.put(
                PREFIX + "jobs", changed ? (double) speed.jobs().size() : before.getOrDefault(PREFIX + "jobs", 0.0));
        for (int j : speed.jobs()) {
            for (NodePartition partition : speed.view().partitions()) {
                if (changed || before.containsKey(PREFIX + "share/" + key(j, partition))) {
                    counters.put(PREFIX + "share/" + key(j, partition), shares.of(j, partition));
                }
                counters.put(PREFIX + "time/" + key(j, partition), time.getOrDefault(key(j, partition), CREDIT));
                counters.put(PREFIX + "deficit/" + key(j, partition), deficit(j, partition));
            }
        }
    }
}
