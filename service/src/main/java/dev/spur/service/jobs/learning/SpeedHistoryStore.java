package dev.spur.service.jobs.learning;

import dev.spur.service.database.RecordMapper;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Measured speeds of jobs over time. */
@Repository
public class SpeedHistoryStore {
    private final JdbcClient jdbc;

    SpeedHistoryStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Measured speed of a job.
     *
     * @param id number of the measurement, ascending in time
     * @param at time of the report
     * @param generation number of the allocation
     * @param slots slots of the allocation
     * @param samplesPerSecond raw samples per second, above 0
     */
    public record MeasuredSpeed(long id, Instant at, long generation, int slots, double samplesPerSecond) {}

    /**
     * Adds the speed of a report, unless the generation has one of the last 10 s, or of the last hundredth of the time
     * since the submission. The number of speeds of a job therefore grows with the logarithm of its age.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public void add(String job, long generation, int slots, double samplesPerSecond) {
        jdbc.sql("""
                        insert into job_speed (job_id, generation, slots, samples_per_second)
                        select id, :generation, :slots, :speed from job where id = :job and not exists (
                            select from job_speed s where s.job_id = :job and s.generation = :generation
                                and s.at > now() - greatest(interval '10 seconds', (now() - submitted_at) / 100))
                        """)
                .param("job", job)
                .param("generation", generation)
                .param("slots", slots)
                .param("speed", samplesPerSecond)
                .update();
    }

    /** Returns the first {@code limit} speeds of a job after number {@code after}. */
    public List<MeasuredSpeed> list(String job, long after, int limit) {
        return jdbc.sql("""
                        select id, at, generation, slots, samples_per_second from job_speed where job_id = ? and id > ?
                        order by id limit ?
                        """)
                .params(job, after, limit)
                .query(RecordMapper.of(MeasuredSpeed.class))
                .list();
    }
}
