package dev.spur.policies.gavel;

import dev.spur.model.job.Job;
import dev.spur.policies.gavel.ShareProgram.Shares;
import dev.spur.policies.support.JobOrders;
import dev.spur.policies.support.NodePartition;
import dev.spur.policies.support.RoundView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Who runs on which type, by arrival, where nobody looks at speeds. Each job is meant to get a type at random of those
 * with as many free slots as it needs. As published, the program draws that type, and then gives the last free one of
 * the list, sorted by name; when that one is used up, the drawn one leaves the list in its stead. So the last type is
 * given away several times over while others stay idle. The place of a job that has ended goes to the first that waits;
 * if that one needs more than is free there, it waits for the next deal.
 *
 * <p>Ours: a type on which a job does not run is passed over.
 */
final class TypeBlindAssignment {
    private static final String PREFIX = "gavel/fifo/";

    private final JobSpeeds speed;
    private final SplittableRandom random;
    private final List<NodePartition> byName;
    private final Map<String, Double> before;
    private final Map<Integer, NodePartition> types = new HashMap<>();
    private final Map<NodePartition, Integer> free = new HashMap<>();

    TypeBlindAssignment(JobSpeeds speed, long seed) {
        this.speed = speed;
        RoundView snapshot = speed.snapshot();
        this.random = new SplittableRandom(seed + Double.doubleToLongBits(snapshot.now()));
        this.byName = snapshot.lanes().stream()
                .sorted(Comparator.comparing(NodePartition::type).thenComparing(NodePartition::pool))
                .toList();
        this.before = snapshot.problem().memory().counters();
        for (int j : speed.jobs()) {
            byName.stream()
                    .filter(lane -> before.containsKey(prefix(lane) + id(j)))
                    .forEach(lane -> types.put(j, lane));
        }
    }

    private static String prefix(NodePartition lane) {
        return PREFIX + lane.pool() + "/" + lane.type() + "/";
    }

    private String id(int j) {
        return speed.snapshot().job(j).id();
    }

    /** Deals types to those who have none. */
    void deal() {
        byName.forEach(lane -> free.put(lane, lane.slots()));
        Deque<Integer> waiting = new ArrayDeque<>();
        for (int j : JobOrders.byArrival(speed.snapshot())) {
            if (speed.jobs().contains(j) && !types.containsKey(j)) {
                waiting.add(j);
            }
        }
        for (Place place : places()) {
            if (place.job() >= 0) {
                free.merge(place.lane(), -speed.slots(place.job()), Integer::sum);
            } else if (!waiting.isEmpty()) {
                int first = waiting.remove();
                if (speed.slots(first) <= left(place.lane()) && speed.on(first, place.lane()) > 0) {
                    give(first, place.lane());
                }
            }
        }
        pile(waiting);
    }

    private void pile(Deque<Integer> waiting) {
        List<NodePartition> open =
                new ArrayList<>(byName.stream().filter(lane -> left(lane) > 0).toList());
        while (!waiting.isEmpty()) {
            int j = waiting.remove();
            List<NodePartition> runs =
                    open.stream().filter(lane -> speed.on(j, lane) > 0).toList();
            List<NodePartition> fits =
                    runs.stream().filter(lane -> left(lane) >= speed.slots(j)).toList();
            if (fits.isEmpty()) {
                return;
            }
            NodePartition drawn = fits.get(random.nextInt(fits.size()));
            NodePartition last = runs.get(runs.size() - 1);
            give(j, last);
            if (left(last) == 0) {
                open.remove(drawn);
            }
        }
    }

    private int left(NodePartition lane) {
        return free.getOrDefault(lane, 0);
    }

    private void give(int j, NodePartition lane) {
        types.put(j, lane);
        free.merge(lane, -speed.slots(j), Integer::sum);
    }

    /** @param job who has it; -1 for a job that has ended */
    private record Place(NodePartition lane, int job, double arrival, String id) {}

    /** What was given until now, by arrival. */
    private List<Place> places() {
        Map<String, Integer> jobs = new HashMap<>();
        speed.jobs().forEach(j -> jobs.put(id(j), j));
        List<Place> places = new ArrayList<>();
        for (NodePartition lane : byName) {
            before.forEach((key, arrival) -> {
                if (key.startsWith(prefix(lane))) {
                    String id = key.substring(prefix(lane).length());
                    places.add(new Place(lane, jobs.getOrDefault(id, -1), arrival, id));
                }
            });
        }
        places.sort(Comparator.comparingDouble(Place::arrival).thenComparing(Place::id));
        return places;
    }

    /** All the time of each job on its type. */
    Shares shares() {
        Shares shares = new Shares();
        types.forEach((j, lane) -> shares.put(j, lane, 1));
        return shares;
    }

    /** Who has which type, with the arrival; until the next deal those who have ended are not forgotten. */
    void remember(Map<String, Double> counters) {
        if (free.isEmpty()) {
            before.forEach((key, arrival) -> {
                if (key.startsWith(PREFIX)) {
                    counters.put(key, arrival);
                }
            });
        }
        types.forEach((j, lane) -> {
            Job job = speed.snapshot().job(j);
            counters.put(prefix(lane) + job.id(), job.arrival());
        });
    }
}
