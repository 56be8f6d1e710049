package dev.spur.service.jobs.lifecycle;

import dev.spur.service.database.RecordMapper;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Batch sizes and work of earlier jobs, by family. */
@Repository
class FamilyBatchStore {
    /**
     * Number of newest jobs that a query reads. Without it, a family without jobs would cost a scan of the whole table.
     */
    private static final int SEARCHED_JOBS = 10_000;

    private final JdbcClient jdbc;

    FamilyBatchStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Batch sizes of a job.
     *
     * @param initial global batch size that the job was tuned for
     * @param maxPerDevice largest number of samples that fits on one device
     */
    record FamilyBatch(int initial, int maxPerDevice) {}

    /**
     * Returns the batch sizes of the newest job of a tenant in a family; empty if there is none. A rigid job with one
     * sample per slot, the default without a batch size, does not count.
     */
    Optional<FamilyBatch> newest(String tenant, String family) {
        return jdbc.sql("""
                        select (spec -> 'batch' ->> 'initial')::integer as initial,
                            (spec -> 'batch' ->> 'maxPerDevice')::integer as max_per_device
                        from (select seq, tenant, spec from job where kind = 'TRAINING' order by seq desc limit ?) newest
                        where tenant = ? and spec ->> 'family' = ? and not (spec #>> '{batch,maxPerDevice}' = '1'
                            and spec #>> '{batch,max}' = spec #>> '{elasticity,minSlots}'
                            and spec #>> '{elasticity,minSlots}' = spec #>> '{elasticity,maxSlots}')
                        order by seq desc limit 1
                        """)
                .params(SEARCHED_JOBS, tenant, family)
                .query(RecordMapper.of(FamilyBatch.class))
                .optional();
    }

    /** Returns the samples of the newest job of a tenant in a family that is DONE; empty if there is none. */
    Optional<Double> newestWork(String tenant, String family) {
        return jdbc.sql("""
                        select raw_samples
                        from (select seq, tenant, spec, state, raw_samples from job where kind = 'TRAINING'
                            order by seq desc limit ?) newest
                        where tenant = ? and state = 'DONE' and raw_samples > 0 and spec ->> 'family' = ?
                        order by seq desc limit 1
                        """)
                .params(SEARCHED_JOBS, tenant, family)
                .query(Double.class)
                .optional();
    }
}
