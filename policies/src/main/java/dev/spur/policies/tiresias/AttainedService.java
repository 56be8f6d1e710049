package dev.spur.policies.tiresias;

import dev.spur.model.job.Job;
import dev.spur.model.round.RoundMemory;
import dev.spur.policies.support.RoundView;
import java.util.HashMap;
import java.util.Map;

/**
 * Attained service and waiting time of each job since it last entered the first queue, and the promotions to that
 * queue. The memory holds, for each promoted job, its service and time at the promotion.
 */
final class AttainedService {
    private static final String PREFIX = "tiresias/";
    private static final String SERVICE = "/service";
    private static final String SINCE = "/since";

    private final RoundView view;
    private final Queues queues;
    private final Map<String, Double> before;
    private final Map<String, Double> after = new HashMap<>();
    private final double[] service;
    private final double[] entered;

    AttainedService(RoundView view, Queues queues) {
        this.view = view;
        this.queues = queues;
        before = view.problem().memory().counters();
        service = new double[view.jobs()];
        entered = new double[service.length];
        for (int j = 0; j < service.length; j++) {
            service[j] = serviceOf(j);
        }
    }

    private double serviceOf(int j) {
        Job job = view.job(j);
        double base = counter(job, SERVICE, 0);
        double since = counter(job, SINCE, job.arrival());
        entered[j] = since;
        double own = Math.max(0, job.history().attainedService() - base);
        double run = own / Math.max(1, view.requestedSlots(j));
        if (queues.of(own) > 0 && queues.promoteKnob() > 0 && job.allocation() == null) {
            double waited = queues.sumsWaits()
                    ? view.now() - since - run
                    : view.now() - Math.max(since, job.history().waitingSince());
            if (waited >= queues.promoteKnob() * run) {
                remember(job, job.history().attainedService(), view.now());
                entered[j] = view.now();
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

    /** Returns the slot-seconds of job {@code j} since it last entered the first queue. */
    double service(int j) {
        return service[j];
    }

    /** Returns the time at which job {@code j} last entered the first queue: its arrival or its promotion. */
    double entryTime(int j) {
        return entered[j];
    }

    /** Returns the queue of job {@code j}, from 0. */
    int queue(int j) {
        return queues.of(service[j]);
    }

    /** Returns the memory for the next round, including the counters {@code more}. */
    RoundMemory memory(Map<String, Double> more) {
        Map<String, Double> counters = new HashMap<>(after);
        counters.putAll(more);
        return new RoundMemory(Map.of(), counters);
    }
}
