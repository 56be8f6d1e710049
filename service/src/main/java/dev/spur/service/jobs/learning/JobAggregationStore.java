package dev.spur.service.jobs.learning;

import dev.spur.model.json.RoundJson;
import dev.spur.prediction.online.LearnedLoad;
import dev.spur.service.database.RecordMapper;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Measured aggregation load of jobs, which corrects the stated gradient bytes. */
@Repository
public class JobAggregationStore {
    private final JdbcClient jdbc;

    JobAggregationStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Measured load of a job.
     *
     * @param statedBytes gradient bytes in the specification at the time of the measurement
     */
    public record LearnedAggregation(double statedBytes, LearnedLoad learned, Instant measuredAt) {
        /** Returns the measured load if the job still states the same gradient bytes, otherwise the default. */
        public LearnedLoad of(double stated) {
            return statedBytes == stated ? learned : LearnedLoad.NOTHING;
        }

        /** Returns the measurement in one sentence. */
        public String message() {
            String windows = learned.windows() == 1 ? "once" : learned.windows() + " times";
            return learned.factor() == 1
                    ? "Its aggregation load was measured %s; rounds use the declared load.".formatted(windows)
                    : String.format(
                            Locale.ROOT,
                            "Its aggregation load was measured %s: rounds use %.2f times the declared load.",
                            windows,
                            learned.factor());
        }
    }

    /** Returns the measured load of a job; empty if there is none. */
    public Optional<LearnedAggregation> find(String job) {
        return read(job, "");
    }

    /** Returns the measured load of a job and locks it until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public Optional<LearnedAggregation> lock(String job) {
        return read(job, " for update");
    }

    private Optional<LearnedAggregation> read(String job, String more) {
        return jdbc.sql(
                        "select gradient_bytes as stated_bytes, learned_load as learned, measured_at from job_aggregation where job_id = ?"
                                + more)
                .param(job)
                .query(RecordMapper.of(LearnedAggregation.class))
                .optional();
    }

    /** Stores the measured load of a job that states {@code statedBytes}. */
    public void put(String job, double statedBytes, LearnedLoad learned) {
        jdbc.sql("""
                        insert into job_aggregation (job_id, gradient_bytes, learned_load, factor) values (?, ?, cast(? as jsonb), ?)
                        on conflict (job_id) do update set gradient_bytes = excluded.gradient_bytes, learned_load = excluded.learned_load,
                            factor = excluded.factor, measured_at = now()
                        """)
                .params(job, statedBytes, RoundJson.mapper().writeValueAsString(learned), learned.factor())
                .update();
    }
}
