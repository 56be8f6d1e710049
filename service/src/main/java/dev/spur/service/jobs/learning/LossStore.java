package dev.spur.service.jobs.learning;

import dev.spur.model.json.RoundJson;
import dev.spur.prediction.efficiency.LossHistory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Reported training losses of jobs, and the expected work that follows from them. The caller of a write must hold the
 * lock on the job.
 */
@Repository
public class LossStore {
    /** Days for which the losses are kept after the end of a job. */
    private final JdbcClient jdbc;

    LossStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the losses of a job, without entries if it reported none. */
    public LossHistory find(String job) {
        return jdbc.sql("select losses::text from job_loss where job_id = ?")
                .param(job)
                .query(String.class)
                .optional()
                .map(json -> RoundJson.mapper().readValue(json, LossHistory.class))
                .orElse(LossHistory.NOTHING);
    }

    /** Stores the losses of a job. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void put(String job, LossHistory losses) {
        jdbc.sql("""
                        insert into job_loss (job_id, losses) values (?, cast(? as jsonb))
                        on conflict (job_id) do update set losses = excluded.losses
                        """).params(job, RoundJson.mapper().writeValueAsString(losses)).update();
    }

    /** Stores the number of effective samples after which a job is expected to be done. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void expect(String job, double samples) {
        jdbc.sql("update job set expected_samples = ? where id = ?")
                .params(samples, job)
                .update();
    }
}
