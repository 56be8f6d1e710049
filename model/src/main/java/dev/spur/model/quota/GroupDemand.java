package dev.spur.model.quota;

import dev.spur.model.job.JobGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the jobs of groups need together: no more than their group may hold. */
final class GroupDemand {
    /** Jobs whose needs are counted together. */
    private record Key(String group, String tenant, String type) {}

    /** Takes the need of a tenant for slots of a type. */
    interface Sink {
        void take(String tenant, String type, long slots);
    }

    private final Map<String, JobGroup> groups = new HashMap<>();
    private final Map<Key, List<Integer>> fewest = new LinkedHashMap<>();

    GroupDemand(List<JobGroup> groups) {
        groups.forEach(group -> this.groups.put(group.name(), group));
    }

    /** Adds a job that needs {@code slots} of {@code type} at least. */
    void add(String group, String tenant, String type, int slots) {
        fewest.computeIfAbsent(new Key(group, tenant, type), key -> new ArrayList<>())
                .add(slots);
    }

    void forEach(Sink sink) {
        fewest.forEach((key, slots) -> sink.take(key.tenant(), key.type(), together(groups.get(key.group()), slots)));
    }

    private static long together(@Nullable JobGroup group, List<Integer> slots) {
        Integer maxJobs = group == null ? null : group.maxJobs();
        Integer maxSlots = group == null ? null : group.maxSlots();
        long sum = slots.stream()
                .sorted(Comparator.reverseOrder())
                .limit(maxJobs == null ? Long.MAX_VALUE : maxJobs)
                .mapToLong(Integer::longValue)
                .sum();
        return maxSlots == null ? sum : Math.min(sum, maxSlots);
    }
}
