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
 * Distribution of the total service of past jobs, learned from round to round. The memory holds the service of each
 * running job, and a histogram of past jobs with bins that double in width.
 */
final class ServiceDistribution {
    private static final String SEEN = "tiresias-seen/";
    private static final String PAST = "tiresias-past/";
    /** Maximum number of copies of a bin value: the index depends on proportions only. */
    private static final double MAX_COPIES = 1000;

    private final Map<String, Double> counters = new HashMap<>();

    ServiceDistribution(RoundView view) {
        Set<String> active = new HashSet<>();
        for (int j = 0; j < view.jobs(); j++) {
            Job job = view.job(j);
            active.add(job.id());
            if (job.history().attainedService() > 0) {
                counters.put(SEEN + job.id(), job.history().attainedService());
            }
        }
        view.problem().memory().counters().forEach((name, value) -> {
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
        double scale = Math.min(1, MAX_COPIES / Math.max(1, all));
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
