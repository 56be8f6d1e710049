package dev.spur.model.quota;

import dev.spur.model.job.Elasticity;
import dev.spur.model.job.JobGroup;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The demand of the jobs of groups, limited by the caps of their groups. */
final class GroupDemand {
    /** Jobs whose demands are added up. */
    private record Key(String group, String tenant, String type) {}

    /** Receives the demand of a tenant for parts of devices of a type. */
    interface Sink {
        void accept(String tenant, String type, long parts);
    }

    private final Map<String, JobGroup> groups = new HashMap<>();
    private final Map<Key, List<Long>> minParts = new LinkedHashMap<>();

    GroupDemand(List<JobGroup> groups) {
        groups.forEach(group -> this.groups.put(group.name(), group));
    }

    /** Adds a job that requires at least {@code parts} of devices of {@code type}. */
    void add(String group, String tenant, String type, long parts) {
        minParts.computeIfAbsent(new Key(group, tenant, type), key -> new ArrayList<>())
                .add(parts);
    }

    void forEach(Sink sink) {
        minParts.forEach((key, parts) -> sink.accept(key.tenant(), key.type(), cap(groups.get(key.group()), parts)));
    }

    private static long cap(@Nullable JobGroup group, List<Long> parts) {
        Integer maxJobs = group == null ? null : group.maxJobs();
        Integer maxSlots = group == null ? null : group.maxSlots();
        long sum = parts.stream()
                .sorted(Comparator.reverseOrder())
                .limit(maxJobs == null ? Long.MAX_VALUE : maxJobs)
                .mapToLong(Long::longValue)
                .sum();
        return maxSlots == null ? sum : Math.min(sum, (long) Elasticity.PARTS * maxSlots);
    }
}
