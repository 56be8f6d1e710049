package dev.spur.service.plans;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.stall.LearnedStalls;
import dev.spur.service.jobs.EffectiveSpec;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Cache of effective specifications by job and version. A specification contains its whole profile, which may have
 * hundreds of points. Reading and parsing all of them would dominate the time of a snapshot, and few change between two
 * rounds.
 */
@Component
class SpecCache {
    /** Number of jobs per query, which limits the size of a result. */
    private static final int CHUNK = 500;

    private final JdbcClient jdbc;
    private final Cache<Version, EffectiveSpec> specs = Caffeine.newBuilder().build();

    SpecCache(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Version of a specification with its predictions.
     *
     * @param spec version of the specification
     * @param learning version of the learning state; 0 if there is none
     * @param stalls version of the measured stalls of the job; likewise
     * @param familyStalls version of the measured stalls of its family; likewise
     */
    record Version(String job, long spec, long learning, long stalls, long familyStalls) {
        /** Tables of the versions, for a query on {@code job}. */
        static final String TABLES = """
                job left join job_learning l on l.job_id = id left join job_stall s on s.job_id = id
                    left join model_family f on f.name = spec ->> 'family'
                """;
        /** Columns of the versions. */
        static final String COLUMNS = """
                id, spec_version, coalesce(l.version, 0) as learning_version, coalesce(s.version, 0) as stall_version,
                coalesce(f.stalls_version, 0) as family_stall_version
                """;

        /** Returns the version in a row with {@link #COLUMNS}. */
        static Version of(ResultSet row) throws SQLException {
            return new Version(
                    row.getString("id"),
                    row.getLong("spec_version"),
                    row.getLong("learning_version"),
                    row.getLong("stall_version"),
                    row.getLong("family_stall_version"));
        }
    }

    /** Returns the specifications at the given versions, and reads those that are not in the cache. */
    Map<Version, EffectiveSpec> read(Set<Version> versions) {
        return specs.getAll(versions, missing -> {
            Map<Version, EffectiveSpec> read = new HashMap<>();
            List<String> ids = missing.stream().map(Version::job).toList();
            for (int from = 0; from < ids.size(); from += CHUNK) {
                fetch(ids.subList(from, Math.min(ids.size(), from + CHUNK)), read);
            }
            return read;
        });
    }

    /** Removes all specifications except these. */
    void retain(Set<Version> versions) {
        specs.asMap().keySet().retainAll(versions);
    }

    private void fetch(List<String> ids, Map<Version, EffectiveSpec> into) {
        jdbc.sql("""
                        select %s, spec::text as spec, predicted_profile::text as predicted_profile, noise_scale,
                               learned_stalls::text as stalls, f.stalls::text as family_stalls
                        from %s where id = any(?)
                        """.formatted(Version.COLUMNS, Version.TABLES))
                .param(ids.toArray(String[]::new))
                .query(row -> {
                    JobSpec spec = RoundJson.mapper().readValue(row.getString("spec"), JobSpec.class);
                    Double noise = row.getObject("noise_scale", Double.class);
                    EffectiveSpec predicted = new EffectiveSpec(
                            LearnedStalls.read(row.getString("stalls"))
                                    .effective(spec, LearnedStalls.read(row.getString("family_stalls"))),
                            readPredictions(row.getString("predicted_profile")),
                            noise);
                    into.put(Version.of(row), predicted);
                });
    }

    private static @Nullable PredictedProfile readPredictions(@Nullable String json) {
        return json == null ? null : RoundJson.mapper().readValue(json, PredictedProfile.class);
    }
}
