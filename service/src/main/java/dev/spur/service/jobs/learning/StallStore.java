package dev.spur.service.jobs.learning;

import dev.spur.prediction.stall.LearnedStalls;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Measured stalls of jobs. The caller of a write must hold the lock on the job. */
@Repository
class StallStore {
    private final JdbcClient jdbc;

    StallStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Measured stalls of a job.
     *
     * @param generation generation of the last counted change that the training reported; 0 for none
     * @param number number of that change in its generation
     */
    record JobStalls(LearnedStalls learned, long generation, int number) {
        /** A job without measured changes. */
        static final JobStalls NOTHING = new JobStalls(LearnedStalls.NOTHING, 0, 0);
    }

    /** Returns the measured stalls of a job; empty if there are none. */
    Optional<JobStalls> find(String job) {
        return jdbc.sql("""
                        select learned_stalls::text as stalls, counted_generation, counted_number
                        from job_stall where job_id = ?
                        """)
                .param(job)
                .query((row, index) -> new JobStalls(
                        LearnedStalls.read(row.getString("stalls")),
                        row.getLong("counted_generation"),
                        row.getInt("counted_number")))
                .optional();
    }

    /** Stores the measured stalls of a job. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void put(String job, JobStalls stalls) {
        jdbc.sql("""
                        insert into job_stall (job_id, learned_stalls, counted_generation, counted_number)
                        values (?, cast(? as jsonb), ?, ?)
                        on conflict (job_id) do update set learned_stalls = excluded.learned_stalls,
                            counted_generation = excluded.counted_generation, counted_number = excluded.counted_number,
                            version = job_stall.version + 1
                        """)
                .params(job, stalls.learned().json(), stalls.generation(), stalls.number())
                .update();
    }
}
