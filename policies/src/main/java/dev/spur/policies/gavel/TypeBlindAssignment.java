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
 * Assignment of jobs to accelerator types by arrival, without regard to speed. Each job is meant to get a random type
 * among those with enough free slots. The published program draws that type, but then assigns the last free one of the
 * list, sorted by name. When that one is used up, the program removes the drawn type from the list instead. So the last
 * type is assigned several times over while other types stay idle. The slots of an ended job go to the first waiting
 * job; if they do not suffice, that job waits for the next assignment.
 *
 * <p>Difference: a type on which a job does not run is skipped.
 */
final class TypeBlindAssignment {
    private static final String PREFIX = "gavel/fifo/";

    private final JobSpeeds speed;
    private final SplittableRandom random;
    private final List<NodePartition> partitionsByName;
    private final Map<String, Double> before;
    private final Map<Integer, NodePartition> partitions = new HashMap<>();
    private final Map<NodePartition, Integer> free = new HashMap<>();

    TypeBlindAssignment(JobSpeeds speed, long seed) {
        this.speed = speed;
        RoundView view = speed.view();
        this.random = new SplittableRandom(seed + Double.doubleToLongBits(view.now()));
        this.partitionsByName = view.partitions().stream()
                .sorted(Comparator.comparing(NodePartition::type).thenComparing(NodePartition::pool))
                .toList();
        this.before = view.problem().memory().counters();
        for (int j : speed.jobs()) {
            partitionsByName.stream()
                    .filter(partition -> before.containsKey(prefix(partition) + id(j)))
                    .forEach(partition -> partitions.put(j, partition));
        }
    }

    private static String prefix(NodePartition partition) {
        return PREFIX + partition.pool() + "/" + partition.type() + "/";
    }

    private String id(int j) {
        return speed.view().job(j).id();
    }

    /** Assigns types to jobs that have none. */
    void assign() {
        partitionsByName.forEach(partition -> free.put(partition, partition.slots()));
        Deque<Integer> waiting = new ArrayDeque<>();
        for (int j : JobOrders.byArrival(speed.view())) {
            if (speed.jobs().contains(j) && !partitions.containsKey(j)) {
                waiting.add(j);
            }
        }
        for (Place place : places()) {
            if (place.job() >= 0) {
                free.merge(place.partition(), -speed.slots(place.job()), Integer::sum);
            } else if (!waiting.isEmpty()) {
                int first = waiting.remove();
                if (speed.slots(first) <= freeSlots(place.partition()) && speed.on(first, place.partition()) > 0) {
                    grant(first, place.partition());
                }
            }
        }
        fillInOrder(waiting);
    }

    private void fillInOrder(Deque<Integer> waiting) {
        List<NodePartition> open = new ArrayList<>(partitionsByName.stream()
                .filter(partition -> freeSlots(partition) > 0)
                .toList());
        while (!waiting.isEmpty()) {
            int j = waiting.remove();
            List<NodePartition> runs = open.stream()
                    .filter(partition -> speed.on(j, partition) > 0)
                    .toList();
            List<NodePartition> fits = runs.stream()
                    .filter(partition -> freeSlots(partition) >= speed.slots(j))
                    .toList();
            if (fits.isEmpty()) {
                return;
            }
            NodePartition drawn = fits.get(random.nextInt(fits.size()));
            NodePartition last = runs.get(runs.size() - 1);
            grant(j, last);
            if (freeSlots(last) == 0) {
                open.remove(drawn);
            }
        }
    }

    private int freeSlots(NodePartition partition) {
        return free.getOrDefault(partition, 0);
    }

    private void grant(int j, NodePartition partition) {
        partitions.put(j, partition);
        free.merge(partition, -speed.slots(j), Integer::sum);
    }

    /**
     * An assignment.
     *
     * @param job the job that holds it; -1 for an ended job
     */
    private record Place(NodePartition partition, int job, double arrival, String id) {}

    /** Returns the previous assignments by arrival. */
    private List<Place> places() {
        Map<String, Integer> jobs = new HashMap<>();
        speed.jobs().forEach(j -> jobs.put(id(j), j));
        List<Place> places = new ArrayList<>();
        for (NodePartition partition : partitionsByName) {
            before.forEach((key, arrival) -> {
                if (key.startsWith(prefix(partition))) {
                    String id = key.substring(prefix(partition).length());
                    places.add(new Place(partition, jobs.getOrDefault(id, -1), arrival, id));
                }
            });
        }
        places.sort(Comparator.comparingDouble(Place::arrival).thenComparing(Place::id));
        return places;
    }

    /** Returns shares in which each job always runs on its type. */
    Shares shares() {
        Shares shares = new Shares();
        partitions.forEach((j, partition) -> shares.put(j, partition, 1));
        return shares;
    }

    /** Stores the type and arrival of each job. Ended jobs are kept until the next assignment. */
    void remember(Map<String, Double> counters) {
        if (free.isEmpty()) {
            before.forEach((key, arrival) -> {
                if (key.startsWith(PREFIX)) {
                    counters.put(key, arrival);
                }
            });
        }
        partitions.forEach((j, partition) -> {
            Job job = speed.view().job(j);
            counters.put(prefix(partition) + job.id(), job.arrival());
        });
    }
}
