package dev.spur.policies.tiresias;

import dev.spur.model.job.Job;
import dev.spur.policies.support.RoundView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What past jobs had in all, learnt from round to round. The memory holds the service of each job that ran, and how
 * many past jobs had how much, by steps that double.
 */
final class ServiceDistribution {
    private static final String SEEN = "tiresias-seen/";
    private static final String PAST = "tiresias-past/";
    /** So many copies of a step at most: the index depends on proportions alone. */
    private static final double MOST_COPIES = 1000;

    private final Map<String, Double> counters = new HashMap<>();

    ServiceDistribution(RoundView snapshot) {
        Set<String> active = new HashSet<>();
        for (int j = 0; j < snapshot.jobs(); j++) {
            Job job = snapshot.job(j);
            active.add(job.id());
            if (job.history().attainedService() > 0) {
                counters.put(SEEN + job.id(), job.history().attainedService());
            }
        }
        snapshot.problem().memory().counters().forEach((name, value) -> {
            if (name.startsWith(PAST)) {
                counters.merge(name, value, Double::sum);
            } else if (name.startsWith(SEEN) && !active.contains(name.substring(SEEN.length()))) {
                counters.merge(PAST + step(value), 1.0, Double::sum);
            }
        });
    }

    private static long step(double service) {
        return Math.round(Math.log(service) / Math.log(2));
    }

    GittinsIndex index() {
        double all = 0;
        for (Map.Entry<String, Double> entry : counters.entrySet()) {
            all += entry.getKey().startsWith(PAST) ? entry.getValue() : 0;
        }
        List<Double> services = new ArrayList<>();
        double scale = Math.min(1, MOST_COPIES / Math.max(1, all));
        counters.forEach((name, count) -> {
            if (name.startsWith(PAST)) {
                double service = Math.pow(2, Double.parseDouble(name.substring(PAST.length())));
                for (int i = 0; i < Math.ceil(count * scale); i++) {
                    services.add(service);
                }
            }
        });
        return GittinsIndex.of(services);
    }

    Map<String, Double> counters() {
        return counters;
    }
}
