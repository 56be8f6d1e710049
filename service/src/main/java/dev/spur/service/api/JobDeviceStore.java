package dev.spur.service.api;

import dev.spur.service.database.RecordMapper;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Devices that jobs hold, with their last reported use. */
@Repository
class JobDeviceStore {
    private final JdbcClient jdbc;

    JobDeviceStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Device of a job. Members as in the contract. */
    record JobDevice(
            String node,
            String device,
            @Nullable Double utilization,
            @Nullable Double memoryUsedMiB,
            @Nullable Double powerWatts,
            @Nullable Instant reportedAt) {}

    /** Returns the devices of the current allocation of a job, by node and device. */
    List<JobDevice> ofJob(String job) {
        return jdbc.sql("""
                        select piece.node, device, utilization, "memoryUsedMiB", "powerWatts",
                            case when uuid is not null then date_trunc('milliseconds', seen_at) end as reported_at
                        from job cross join placement(allocation) piece
                            cross join jsonb_array_elements_text(piece.devices) device
                            left join executor e on e.id = piece.node and e.state = 'ALIVE'
                            left join lateral jsonb_to_recordset(e.device_usage) as usage (uuid text,
                                utilization double precision, "memoryUsedMiB" double precision, "powerWatts" double precision)
                                on uuid = device
                        where job.id = ? order by node, device
                        """).param(job).query(RecordMapper.of(JobDevice.class)).list();
    }
}
