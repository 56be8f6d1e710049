package dev.spur.service.store;

import dev.spur.model.json.RoundJson;
import dev.spur.prediction.online.LearnedLoad;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** What aggregators have to do for jobs, beside what these state. */
@Repository
public class JobAggregationStore {
    /** Days after its end for which what was learnt of a job is kept. */
    private static final int KEPT_DAYS = 7;

    private final JdbcClient jdbc;

    JobAggregationStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * What is known of a job.
     *
     * @param statedBytes gradient bytes that it stated then
     * @param learned what was measured
     * @param measuredAt when that was last
     */
    public record LearnedAggregation(double statedBytes, LearnedLoad learned, Instant measuredAt) {
        /** What was learnt, if the job still states the same. */
        public LearnedLoad of(double stated) {
            return statedBytes == stated ? learned : LearnedLoad.NOTHING;
        }
    }

    /** What is known of a job; empty if nothing was measured. */
    public Optional<LearnedAggregation> find(String job) {
        return read(job, "");
    }

    /** The same; what is known stays as it is until the transaction ends. */
    public Optional<LearnedAggregation> lock(String job) {
        return read(job, " for update");
    }

    private Optional<LearnedAggregation> read(String job, String more) {
        return jdbc.sql(
                        "select gradient_bytes, learned_load::text as learned_load, measured_at from job_aggregation where job_id = ?"
                                + more)
                .param(job)
                .query((row, index) -> new LearnedAggregation(
                        row.getDouble("gradient_bytes"),
                        RoundJson.mapper().readValue(row.getString("learned_load"), LearnedLoad.class),
                        Objects.requireNonNull(Rows.instant(row, "measured_at"))))
                .optional();
    }

    /** Writes down what is known of a job that states so many bytes. */
    public void put(String job, double statedBytes, LearnedLoad learned) {
        jdbc.sql("""
                        insert into job_aggregation (job_id, gradient_bytes, learned_load, factor) values (?, ?, cast(? as jsonb), ?)
                        on conflict (job_id) do update set gradient_bytes = excluded.gradient_bytes, learned_load = excluded.learned_load,
                            factor = excluded.factor, measured_at = now()
                        """)
                .params(job, statedBytes, RoundJson.mapper().writeValueAsString(learned), learned.factor())
                .update();
    }

    /** Forgets what was learnt of jobs that ended long ago. */
    public void forget() {
        jdbc.sql("""
                        delete from job_aggregation using job where id = job_id and ended_at < now() - make_interval(days => ?)
                        """).param(KEPT_DAYS).update();
    }
}
