package dev.spur.benchmarks.instance;

import dev.spur.model.job.JobGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Hyperparameter searches: groups of four to twelve jobs of a tenant. Either a quarter of the jobs can run at a time,
 * or all of them on as many slots as there are jobs. About a fifth of the jobs are trials. The class has its own random
 * numbers, so the rest of the instance is the same with and without searches.
 */
final class HyperparameterSearches {
    private static final int MIN_TRIALS = 4;
    private static final int MAX_TRIALS = 12;
    /** One in this number of jobs that are not trials starts a new search. */
    private static final int RARITY = 30;

    private record Search(JobGroup group, int trials) {}

    private final Random random;
    private final List<JobGroup> groups = new ArrayList<>();
    private final Map<String, Search> openByTenant = new HashMap<>();

    HyperparameterSearches(long seed) {
        random = new Random(~seed);
    }

    /** Returns the search that the next job of {@code tenant} is a trial of; null if it is not a trial. */
    @Nullable
    String next(String tenant) {
        Search open = openByTenant.remove(tenant);
        if (open == null) {
            if (random.nextInt(RARITY) != 0) {
                return null;
            }
            open = begin(tenant);
        }
        if (open.trials() > 1) {
            openByTenant.put(tenant, new Search(open.group(), open.trials() - 1));
        }
        return open.group().name();
    }

    private Search begin(String tenant) {
        int trials = MIN_TRIALS + random.nextInt(MAX_TRIALS - MIN_TRIALS + 1);
        boolean counted = random.nextBoolean();
        JobGroup group =
                new JobGroup("search-" + groups.size(), tenant, counted ? null : trials, counted ? trials / 4 : null);
        groups.add(group);
        return new Search(group, trials);
    }

    /** Returns all searches generated so far. */
    List<JobGroup> groups() {
        return List.copyOf(groups);
    }
}
