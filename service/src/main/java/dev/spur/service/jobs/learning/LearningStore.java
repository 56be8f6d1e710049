package dev.spur.service.jobs.learning;

import dev.spur.model.json.RoundJson;
import dev.spur.prediction.efficiency.NoiseScale;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.prediction.online.Drift;
import dev.spur.prediction.online.LearnedSpeed;
import dev.spur.prediction.speed.TypedObservation;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Measured and predicted speeds of jobs, in addition to their stated profiles. The caller of a write must hold the lock
 * on the job.
 */
@Repository
public class LearningStore {
    private final JdbcClient jdbc;

    LearningStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Learning state of a job at a version.
     *
     * @param version rises with every change
     */
    public record Versioned(JobLearning learning, long version) {}

    /** Returns the learning state of a job; empty if the job has neither reported steps nor named a family. */
    public Optional<JobLearning> find(String job) {
        return findVersioned(job).map(Versioned::learning);
    }

    /** Returns the learning state of a job with its version. */
    public Optional<Versioned> findVersioned(String job) {
        return jdbc.sql("""
                        select learned_speed::text as learned_speed, predicted_profile::text as predicted_profile, noise_scale, noise_reports,
                               drift::text as drift, expected_generation, expected_batch, expected_seconds,
                               family_version, cluster_version, version
                        from job_learning where job_id = ?
                        """)
                .param(job)
                .query((row, index) -> new Versioned(read(row), row.getLong("version")))
                .optional();
    }

    /** Returns the gradient noise scale of a job, smoothed over its reports; empty if it reported none. */
    public Optional<Double> noiseScale(String job) {
        return jdbc.sql("select noise_scale from job_learning where job_id = ? and noise_reports > 0")
                .param(job)
                .query(Double.class)
                .optional();
    }

    /**
     * Replaces the predictions of a job that are based on {@code version} of its learning state. Returns false, and
     * changes nothing, if the version has risen since.
     */
    public boolean replacePredictions(String job, long version, PredictedProfile predicted, JobLearning.Basis basis) {
        return jdbc.sql("""
                        update job_learning set predicted_profile = cast(? as jsonb), family_version = ?, cluster_version = ?,
                            version = version + 1
                        where job_id = ? and version = ?
                        """)
                        .params(json(predicted), basis.family(), basis.cluster(), job, version)
                        .update()
                == 1;
    }

    /** Returns the measurements of those of the jobs that have run, by family. */
    public SortedMap<String, List<TypedObservation>> observations(Collection<String> jobs) {
        SortedMap<String, List<TypedObservation>> byFamily = new TreeMap<>();
        jdbc.sql("""
                        select spec ->> 'family' as family, learned_speed::text as learned_speed from job_learning join job on id = job_id
                        where id = any(?) and first_start is not null and spec ->> 'family' is not null and device_share is null order by seq
                        """).param(jobs.toArray(String[]::new)).query(row -> {
            LearnedSpeed learned = RoundJson.mapper().readValue(row.getString("learned_speed"), LearnedSpeed.class);
            byFamily.computeIfAbsent(row.getString("family"), family -> new ArrayList<>())
                    .addAll(learned.observations());
        });
        return byFamily;
    }

    /** Adds the learning state of a new job for the other jobs of its array. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void copy(String job, String array) {
        jdbc.sql("""
                        insert into job_learning (job_id, learned_speed, predicted_profile, noise_scale, noise_reports, drift,
                            expected_generation, expected_batch, expected_seconds, family_version, cluster_version)
                        select j.id, learned_speed, predicted_profile, noise_scale, noise_reports, drift,
                            expected_generation, expected_batch, expected_seconds, family_version, cluster_version
                        from job_learning l, job j where l.job_id = :job and j.array_id = :array and j.id <> :job
                        """).param("job", job).param("array", array).update();
    }

    /** Stores the learning state of a job. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void put(String job, JobLearning learning) {
        JobLearning.ExpectedStepTime expected = learning.expected();
        jdbc.sql("""
                        insert into job_learning (job_id, learned_speed, predicted_profile, noise_scale, noise_reports, drift,
                            expected_generation, expected_batch, expected_seconds, family_version, cluster_version)
                        values (:job, cast(:learned as jsonb), cast(:predicted as jsonb), :noise, :reports,
                            cast(:drift as jsonb), :generation, :batch, :seconds, :family, :cluster)
                        on conflict (job_id) do update set learned_speed = excluded.learned_speed, predicted_profile = excluded.predicted_profile,
                            noise_scale = excluded.noise_scale, noise_reports = excluded.noise_reports,
                            drift = excluded.drift,
                            expected_generation = excluded.expected_generation,
                            expected_batch = excluded.expected_batch, expected_seconds = excluded.expected_seconds,
                            family_version = excluded.family_version, cluster_version = excluded.cluster_version,
                            version = job_learning.version + 1
                        """)
                .param("job", job)
                .param("learned", json(learning.learned()))
                .param("predicted", json(learning.predicted()))
                .param(
                        "noise",
                        learning.noise().reports() == 0
                                ? null
                                : learning.noise().samples(),
                        Types.DOUBLE)
                .param("reports", learning.noise().reports())
                .param("drift", learning.drift() == null ? null : json(learning.drift()), Types.VARCHAR)
                .param("generation", expected == null ? 0 : expected.generation())
                .param("batch", expected == null ? 0 : expected.batch())
                .param("seconds", expected == null ? null : expected.seconds(), Types.DOUBLE)
                .param("family", learning.basis().family())
                .param("cluster", learning.basis().cluster())
                .update();
    }

    /**
     * Returns the active jobs with outdated predictions, from other versions of their family or the cluster, the oldest
     * first.
     */
    public List<String> outdatedJobs(int limit) {
        return jdbc.sql("""
                        select job_id from job_learning join job on id = job_id
                        left join model_family on model_family.name = job.spec ->> 'family'
                        where is_active(state) and state <> 'COMPLETING'
                          and (family_version <> coalesce(model_family.version, 0) or cluster_version <> (select version from cluster_version))
                        order by seq limit ?
                        """).param(limit).query(String.class).list();
    }

    private static String json(Object value) {
        return RoundJson.mapper().writeValueAsString(value);
    }

    private static JobLearning read(ResultSet row) throws SQLException {
        String drift = row.getString("drift");
        Double seconds = row.getObject("expected_seconds", Double.class);
        JobLearning.ExpectedStepTime expected = seconds == null
                ? null
                : new JobLearning.ExpectedStepTime(
                        row.getLong("expected_generation"), row.getInt("expected_batch"), seconds);
        return new JobLearning(
                RoundJson.mapper().readValue(row.getString("learned_speed"), LearnedSpeed.class),
                RoundJson.mapper().readValue(row.getString("predicted_profile"), PredictedProfile.class),
                new NoiseScale(row.getDouble("noise_scale"), row.getLong("noise_reports")),
                drift == null ? null : RoundJson.mapper().readValue(drift, Drift.class),
                expected,
                new JobLearning.Basis(row.getLong("family_version"), row.getLong("cluster_version")));
    }
}
