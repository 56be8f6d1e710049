package dev.spur.service.outcomes;

import dev.spur.model.cluster.Node;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.JobSpec;
import dev.spur.model.utility.ReferenceGoodputs;
import dev.spur.prediction.job.PredictedProfile;
import dev.spur.service.cluster.NodeStore;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.jobs.EffectiveSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Best speeds of ended training jobs. They are recorded once, before the measurements of the job are deleted. */
@Repository
class JobOutcomeStore {
    private static final int MAX_JOBS = 200;
    /** Time for which the measurements of an ended job are kept by default. */
    private static final Duration RETENTION = Duration.ofDays(7);
    /** Time within which a transaction that has ended a job is visible. */
    private static final Duration LATE = Duration.ofMinutes(5);

    private final JdbcClient jdbc;
    private final NodeStore nodes;
    /** All jobs that ended before have been recorded. */
    private Instant recordedUntil = Instant.EPOCH;

    JobOutcomeStore(JdbcClient jdbc, NodeStore nodes) {
        this.jdbc = jdbc;
        this.nodes = nodes;
    }

    private record EndedJob(
            String id,
            JobSpec spec,
            @Nullable PredictedProfile predicted,
            @Nullable Double noiseScale) {}

    /** Records up to 200 jobs that have ended. Returns true if more may be left. */
    @Transactional
    public synchronized boolean record() {
        Instant now =
                jdbc.sql("select now()").query(OffsetDateTime.class).single().toInstant();
        List<EndedJob> ended = endedJobs(now);
        List<Node> all = ended.isEmpty() ? List.of() : nodes.all();
        for (EndedJob job : ended) {
            JobSpec spec = new EffectiveSpec(job.spec(), job.predicted(), job.noiseScale())
                    .of(DeadlineStatus.PENDING); // medians of the predictions
            ReferenceGoodputs best = new ReferenceGoodputs(all.stream()
                    .filter(node -> spec.elasticity().allowsPool(node.pool()))
                    .toList());
            jdbc.sql("""
                            insert into job_outcome (job_id, max_goodput, max_slot_goodput)
                            values (?, nullif(?, 0), nullif(?, 0)) on conflict do nothing
                            """)
                    .params(job.id(), best.fastest(spec), best.highestPerSlot(spec))
                    .update();
        }
        boolean full = ended.size() == MAX_JOBS;
        if (!full) {
            recordedUntil = now.minus(LATE);
        }
        return full;
    }

    private List<EndedJob> endedJobs(Instant now) {
        Instant oldest = now.minus(RETENTION);
        return jdbc.sql("""
                        select id, spec, l.predicted_profile as predicted, l.noise_scale
                        from job left join job_learning l on l.job_id = id
                        where ended_at > ? and kind = 'TRAINING' and not exists (select from job_outcome o where o.job_id = id)
                        order by ended_at limit ?
                        """)
                .params((recordedUntil.isAfter(oldest) ? recordedUntil : oldest).atOffset(ZoneOffset.UTC), MAX_JOBS)
                .query(RecordMapper.of(EndedJob.class))
                .list();
    }
}
