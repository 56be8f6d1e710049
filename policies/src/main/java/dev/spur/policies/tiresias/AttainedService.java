package dev.spur.policies.tiresias;

import dev.spur.model.job.Job;
import dev.spur.model.round.RoundMemory;
import dev.spur.policies.support.RoundView;
import java.util.HashMap;
import java.util.Map;

/**
 * Service and waits of each job since it last entered the first queue, and who goes back there. The memory holds, of
 * each job that ever did, the service that it had then and when that was.
 */
final class AttainedService {
    private static final String PREFIX = "tiresias/";
    private static final String SERVICE = "/service";
    private static final String SINCE = "/since";

    private final RoundView snapshot;
    private final Queues queues;
    private final Map<String, Double> before;
    private final Map<String, Double> after = new HashMap<>();
    private final double[] service;
    private final double[] entered;

    AttainedService(RoundView snapshot, Queues queues) {
        this.snapshot = snapshot;
        this.queues = queues;
        before = snapshot.problem().memory().counters();
        service = new double[snapshot.jobs()];
        entered = new double[service.length];
        for (int j = 0; j < service.length; j++) {
            service[j] = serviceOf(j);
        }
    }

    private double serviceOf(int j) {
        Job job = snapshot.job(j);
        double base = counter(job, SERVICE, 0);
        double since = counter(job, SINCE, job.arrival());
        entered[j] = since;
        double own = Math.max(0, job.history().attainedService() - base);
        double run = own / Math.max(1, snapshot.requested(j));
        if (queues.of(own) > 0 && queues.promoteKnob() > 0 && job.allocation() == null) {
            double waited = queues.sumsWaits()
                    ? snapshot.now() - since - run
                    : snapshot.now() - Math.max(since, job.history().waitingSince());
            if (waited >= queues.promoteKnob() * run) {
                remember(job, job.history().attainedService(), snapshot.now());
                entered[j] = snapshot.now();
                return 0;
            }
        }
        if (base > 0) {
            remember(job, base, since);
        }
        return own;
    }

    private double counter(Job job, String what, double otherwise) {
        return before.isEmpty() ? otherwise : before.getOrDefault(PREFIX + job.id() + what, otherwise);
    }

    private void remember(Job job, double base, double since) {
        after.put(PREFIX + job.id() + SERVICE, base);
        after.put(PREFIX + job.id() + SINCE, since);
    }

    /** Slot-seconds since job {@code j} last entered the first queue. */
    double service(int j) {
        return service[j];
    }

    /** When job {@code j} last entered the first queue: at its arrival, or when it was promoted. */
    double entered(int j) {
        return entered[j];
    }

    /** The queue of job {@code j}, from 0. */
    int queue(int j) {
        return queues.of(service[j]);
    }

    /** What the next round should know, {@code more} included. */
    RoundMemory memory(Map<String, Double> more) {
        Map<String, Double> counters = new HashMap<>(after);
        counters.putAll(more);
        return new RoundMemory(Map.of(), counters);
    }
}
