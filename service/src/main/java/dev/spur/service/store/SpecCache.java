package dev.spur.service.store;

import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Specifications by job and version. A specification holds its whole profile, hundreds of points at times: reading and
 * parsing those of all jobs would be most of a snapshot, and hardly any changes between two rounds.
 */
final class SpecCache {
    /** Jobs per query, so that no answer of the database is huge. */
    private static final int CHUNK = 500;

    private final Map<String, Entry> entries = new ConcurrentHashMap<>();

    private record Entry(long version, JobSpec spec) {}

    /**
     * The specifications at the given versions, read by {@code jdbc} where they are not known. What is not asked for is
     * forgotten.
     *
     * @param versions version by job id
     */
    Map<String, JobSpec> read(JdbcClient jdbc, Map<String, Long> versions) {
        Map<String, JobSpec> specs = new HashMap<>();
        List<String> unknown = new ArrayList<>();
        versions.forEach((id, version) -> {
            Entry entry = entries.get(id);
            if (entry != null && entry.version == version) {
                specs.put(id, entry.spec);
            } else {
                unknown.add(id);
            }
        });
        for (int from = 0; from < unknown.size(); from += CHUNK) {
            fetch(jdbc, unknown.subList(from, Math.min(unknown.size(), from + CHUNK)), specs);
        }
        entries.keySet().retainAll(versions.keySet());
        return specs;
    }

    private void fetch(JdbcClient jdbc, Collection<String> ids, Map<String, JobSpec> into) {
        jdbc.sql("select id, spec_version, spec::text as spec from job where id = any(?)")
                .param(ids.toArray(String[]::new))
                .query(row -> {
                    JobSpec spec = RoundJson.mapper().readValue(row.getString("spec"), JobSpec.class);
                    entries.put(row.getString("id"), new Entry(row.getLong("spec_version"), spec));
                    into.put(row.getString("id"), spec);
                });
    }
}
