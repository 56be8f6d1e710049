package dev.spur.service.outcomes;

import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.Rows;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Samples of the use of GPUs by accelerator type. */
@Repository
class GpuUsageStore {
    private final JdbcClient jdbc;

    GpuUsageStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Mean use of the GPUs of one type in a step of a time range.
     *
     * @param utilization mean utilization of the GPUs that jobs held, from 0 to 1; null if unknown
     * @param memoryUsedGiB memory in use, sum over all GPUs, GiB; null if unknown
     * @param powerWatts power, sum over all GPUs, W; null if unknown
     */
    record GpuUse(
            String acceleratorType,
            int step,
            @Nullable Double utilization,
            @Nullable Double memoryUsedGiB,
            @Nullable Double powerWatts) {}

    /** Adds a sample of each type for which executors with a lease report the use of devices, at most one a minute. */
    void record() {
        jdbc.sql("""
                        insert into gpu_usage (accelerator_type, at, utilization, memory_used_gib, power_watts)
                        with held as (
                            select distinct piece.node, device
                            from job, placement(allocation) piece,
                                jsonb_array_elements_text(piece.devices) device
                            where is_active(state) and allocation is not null)
                        select accelerator_type, clock_timestamp(),
                            avg(utilization) filter (where held.device is not null),
                            sum("memoryUsedMiB") / 1024, sum("powerWatts")
                        from executor e join node on node.id = e.id
                            cross join jsonb_to_recordset(e.device_usage) as usage (uuid text,
                                utilization double precision, "memoryUsedMiB" double precision, "powerWatts" double precision)
                            left join held on held.node = e.id and held.device = uuid
                        where e.state = 'ALIVE' and e.lease_expires_at > clock_timestamp() and accelerator_type is not null
                            and not exists (select from gpu_usage last where last.accelerator_type = node.accelerator_type
                                and last.at > clock_timestamp() - interval '1 minute')
                        group by accelerator_type
                        on conflict do nothing
                        """).update();
    }

    /**
     * Returns the mean of the samples in each step of {@code range} that has any.
     *
     * @param stepSeconds length of a step, seconds
     */
    List<GpuUse> means(TimeRange range, double stepSeconds) {
        return jdbc.sql("""
                        select accelerator_type, cast(floor((extract(epoch from at) - :start) / :length) as integer) as step,
                            avg(utilization) as utilization, avg(memory_used_gib) as memory_used_gib,
                            avg(power_watts) as power_watts
                        from gpu_usage where at >= :since and at < :until group by 1, 2 order by 1, 2
                        """)
                .param("start", range.sinceSeconds())
                .param("length", stepSeconds)
                .param("since", Rows.utc(range.since()))
                .param("until", Rows.utc(range.until()))
                .query(RecordMapper.of(GpuUse.class))
                .list();
    }
}
