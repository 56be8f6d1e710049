package dev.spur.policies.gavel;

import dev.spur.policies.gavel.ShareProgram.Shares;
import dev.spur.policies.support.NodePartition;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Time that jobs have had in each lane since the shares last changed, and what they were owed when that happened. The
 * memory holds shares, times and deficits by job and lane.
 */
final class ReceivedTime {
    /** Time credited in advance, so that the first fractions are not wild: half a round of the paper. */
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
        this.before = speed.snapshot().problem().memory().counters();
        this.since = before.getOrDefault(PREFIX + "since", now());
        double elapsed = now() - before.getOrDefault(PREFIX + "now", now());
        for (int j : speed.jobs()) {
            for (NodePartition lane : speed.snapshot().lanes()) {
                double had = lane.equals(speed.snapshot().heldLane(j)) ? elapsed : 0;
                time.put(key(j, lane), before.getOrDefault(PREFIX + "time/" + key(j, lane), CREDIT) + had);
                deficit.put(key(j, lane), before.getOrDefault(PREFIX + "deficit/" + key(j, lane), 0.0));
            }
        }
    }

    private double now() {
        return speed.snapshot().now();
    }

    private String key(int j, NodePartition lane) {
        return speed.snapshot().job(j).id() + "/" + lane.pool() + "/" + lane.type();
    }

    /**
     * The shares of the last round; empty if there are none, or if they are at least {@code seconds} old and the jobs
     * are not the same any more. Who came later has none.
     */
    Optional<Shares> knownShares(double seconds) {
        if (!before.containsKey(PREFIX + "since")) {
            return Optional.empty();
        }
        Shares shares = new Shares();
        boolean all = before.getOrDefault(PREFIX + "jobs", 0.0).intValue()
                == speed.jobs().size();
        for (int j : speed.jobs()) {
            for (NodePartition lane : speed.snapshot().lanes()) {
                Double share = before.get(PREFIX + "share/" + key(j, lane));
                if (share != null) {
                    shares.put(j, lane, share);
                }
                all &= share != null;
            }
        }
        return all || (since > 0 && now() - since < seconds) ? Optional.of(shares) : Optional.empty();
    }

    /** True if the shares of the last round were found without job {@code j}. */
    boolean isNew(int j) {
        return speed.snapshot().lanes().stream()
                .noneMatch(lane -> before.containsKey(PREFIX + "share/" + key(j, lane)));
    }

    /** The shares change: what was owed and not given is kept as a deficit, and times begin anew. */
    void settle() {
        double elapsed = now() - since;
        for (int j : speed.jobs()) {
            for (NodePartition lane : speed.snapshot().lanes()) {
                String key = key(j, lane);
                double owed = before.getOrDefault(PREFIX + "share/" + key, 0.0) * elapsed;
                double had = time.getOrDefault(key, CREDIT) - CREDIT;
                deficit.merge(key, owed - had, Double::sum);
                time.put(key, CREDIT);
            }
        }
    }

    /** Time that job {@code j} had in {@code lane}, as a part of what all jobs had there. */
    double fraction(int j, NodePartition lane) {
        double all = timeOfAll.computeIfAbsent(
                lane,
                l -> speed.jobs().stream()
                        .mapToDouble(other -> time.getOrDefault(key(other, l), CREDIT))
                        .sum());
        return all == 0 ? 0 : time.getOrDefault(key(j, lane), CREDIT) / all;
    }

    /** Seconds in {@code lane} that job {@code j} was owed and did not get. */
    double deficit(int j, NodePartition lane) {
        return deficit.getOrDefault(key(j, lane), 0.0);
    }

    /** @param changed true if the shares are new */
    void remember(Shares shares, boolean changed, Map<String, Double> counters) {
        counters.put(PREFIX + "now", now());
        counters.put(PREFIX + "since", changed ? now() : since);
        counters.put(
                PREFIX + "jobs", changed ? (double) speed.jobs().size() : before.getOrDefault(PREFIX + "jobs", 0.0));
        for (int j : speed.jobs()) {
            for (NodePartition lane : speed.snapshot().lanes()) {
                if (changed || before.containsKey(PREFIX + "share/" + key(j, lane))) {
                    counters.put(PREFIX + "share/" + key(j, lane), shares.of(j, lane));
                }
                counters.put(PREFIX + "time/" + key(j, lane), time.getOrDefault(key(j, lane), CREDIT));
                counters.put(PREFIX + "deficit/" + key(j, lane), deficit(j, lane));
            }
        }
    }
}
