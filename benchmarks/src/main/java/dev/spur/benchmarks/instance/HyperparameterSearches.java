package dev.spur.benchmarks.instance;

import dev.spur.model.job.JobGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Searches for hyperparameters: groups of four to twelve jobs of a tenant, of which a quarter may run at a time, or all
 * together on as many slots as they are. About a fifth of the jobs are trials of one. Draws numbers of its own, so that
 * everything else is the same with and without searches.
 */
final class HyperparameterSearches {
    private static final int FEWEST_TRIALS = 4;
    private static final int MOST_TRIALS = 12;
    /** One job in so many that are no trial is the first of a search. */
    private static final int RARITY = 30;

    private record Search(JobGroup group, int trials) {}

    private final Random random;
    private final List<JobGroup> groups = new ArrayList<>();
    private final Map<String, Search> openByTenant = new HashMap<>();

    HyperparameterSearches(long seed) {
        random = new Random(~seed);
    }

    /** Name of the search that the next job of {@code tenant} is a trial of; null if it is none. */
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
        int trials = FEWEST_TRIALS + random.nextInt(MOST_TRIALS - FEWEST_TRIALS + 1);
        boolean counted = random.nextBoolean();
        JobGroup group =
                new JobGroup("search-" + groups.size(), tenant, counted ? null : trials, counted ? trials / 4 : null);
        groups.add(group);
        return new Search(group, trials);
    }

    /** All searches begun so far. */
    List<JobGroup> groups() {
        return List.copyOf(groups);
    }
}
