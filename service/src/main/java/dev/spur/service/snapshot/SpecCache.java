package dev.spur.service.snapshot;

import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.service.job.EffectiveSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Cache of effective specifications by job and version. A specification contains its whole profile, which may have
 * hundreds of points. Reading and parsing all of them would dominate the time of a snapshot, and few change between two
 * rounds.
 */
final class SpecCache {
    /** Number of jobs per query, which limits the size of a result. */
    private static final int CHUNK = 500;

    private final Map<String, Entry> entries = new ConcurrentHashMap<>();

    /**
     * Version of a specification with its predictions.
     *
     * @param spec version of the specification
     * @param learning version of the learning state; 0 if there is none
     */
    record Version(long spec, long learning) {}

    private record Entry(Version version, EffectiveSpec spec) {}

    /**
     * Returns the specifications at the given versions, and reads those that are not in the cache.
     *
     * @param versions version by job id
     */
    Map<String, EffectiveSpec> read(JdbcClient jdbc, Map<String, Version> versions) {
        Map<String, EffectiveSpec> specs = new HashMap<>();
        List<String> unknown = new ArrayList<>();
        versions.forEach((id, version) -> {
            Entry entry = entries.get(id);
            if (entry != null && entry.version.equals(version)) {
                specs.put(id, entry.spec);
            } else {
                unknown.add(id);
            }
        });
        for (int from = 0; from < unknown.size(); from += CHUNK) {
            fetch(jdbc, unknown.subList(from, Math.min(unknown.size(), from + CHUNK)), specs);
        }
        return specs;
    }

    /** Removes all jobs except these. */
    void retain(Collection<String> ids) {
        entries.keySet().retainAll(ids);
    }

    private void fetch(JdbcClient jdbc, Collection<String> ids, Map<String, EffectiveSpec> into) {
        jdbc.sql("""
                        select id, spec_version, spec::text as spec, coalesce(l.version, 0) as learning,
                               predicted_profile::text as predicted_profile, noise_scale
                        from job left join job_learning l on job_id = id where id = any(?)
                        """).param(ids.toArray(String[]::new)).query(row -> {
            JobSpec spec = RoundJson.mapper().readValue(row.getString("spec"), JobSpec.class);
            Double noise = row.getObject("noise_scale", Double.class);
            EffectiveSpec believed = new EffectiveSpec(spec, predicted(row.getString("predicted_profile")), noise);
            Version version = new Version(row.getLong("spec_version"), row.getLong("learning"));
            entries.put(row.getString("id"), new Entry(version, believed));
            into.put(row.getString("id"), believed);
        });
    }

    private static @Nullable PredictedProfile predicted(@Nullable String json) {
        return json == null ? null : RoundJson.mapper().readValue(json, PredictedProfile.class);
    }
}
