package dev.spur.service.plans;

import dev.spur.model.aggregation.AggregationRemedy;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.job.ChangeMechanism;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.job.ProfilingTarget;
import dev.spur.model.job.ServiceHistory;
import dev.spur.model.job.Synchronization;
import dev.spur.model.job.Work;
import dev.spur.model.job.WorkUnit;
import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.HostSensitivity;
import dev.spur.model.performance.ProfilePoint;
import dev.spur.model.performance.ThroughputProfile;
import dev.spur.service.database.Rows;
import dev.spur.service.jobs.RankChangeStore;
import dev.spur.service.jobs.StatedDependency;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Active training job without its specification.
 *
 * @param gradients factor by which rounds multiply the gradient bytes that the job states
 * @param stopped true if the job is held, or pauses after a failure
 * @param notBefore time before which no round starts the job, seconds since 1970; null if there is none, or it has
 *     passed
 * @param unmetDependencies dependencies whose condition is not met
 * @param keepsRequest true if a connector runs the job whose control level does not permit a restart with another batch
 *     or host grant
 * @param onPlatform true if a connector runs the job, so that its host resources change at a start only
 * @param remedy remedy for its aggregation in the last hour; null for none
 * @param rescales true if a plan may change the ranks while the training runs: they run, and no earlier change of them
 *     is in progress or has failed
 */
record JobRow(
        SpecCache.Version version,
        String tenant,
        double arrival,
        double remainingSamples,
        @Nullable Double expectedSamples,
        @Nullable Double deadline,
        DeadlineStatus deadlineStatus,
        ServiceHistory history,
        long generation,
        @Nullable Allocation allocation,
        @Nullable ProfilingTarget profilingTarget,
        double gradients,
        boolean stopped,
        @Nullable Double notBefore,
        List<StatedDependency> unmetDependencies,
        boolean completing,
        boolean keepsRequest,
        boolean onPlatform,
        AggregationRemedy.@Nullable Kind remedy,
        boolean rescales,
        boolean migrates) {
    /**
     * Remaining work, in samples, of a job that has reached its work but has not reported completion. The value is
     * positive so that the job keeps a utility for its slots.
     */
    private static final double LAST_SAMPLE = 1;
    /** Placeholder speed of an unknown accelerator type, in samples per second. */
    private static final double NEXT_TO_NONE = 1e-3;

    /** Selects the jobs that have not ended, by arrival; only those of {@code :ids} unless {@code :all} is true. */
    static final String ACTIVE =
            """
            select %s, tenant, submitted_at,
                   coalesce(expected_samples, total_work) - done_work as remaining, expected_samples,
                   deadline, deadline_status, attained_service, coalesce(device_share, 1) as device_share, run_seconds, restarts, first_start, waiting_since, unserved_since, generation,
                   report_generation, extract(epoch from checkpoint_at)::double precision as checkpoint_at,
                   allocation::text as allocation, profiling_target::text as profiling_target,
                   coalesce(a.factor, 1) as gradients, held or coalesce(retry_at > now(), false) as stopped,
                   case when not_before > now() and allocation is null then not_before end as not_before,
                   case when unmet_dependencies <> '{}' then depends_on::text end as dependencies, unmet_dependencies, state,
                   exists (select from connector_job c join connector k on k.name = c.connector
                       where c.job_id = job.id and k.control_level <> 'RESIZE') as keeps_request,
                   exists (select from connector_job c where c.job_id = job.id) as on_platform,
                   (select kind from aggregation_remedy r where r.job_id = job.id and r.decided_at > now() - interval '1 hour') as remedy,
                   spec #> '{changeCosts,rescaleSeconds}' is not null and command ->> 'launch' = 'PER_DEVICE' and %s as rescales,
                   spec #> '{changeCosts,migrateSeconds}' is not null and command ->> 'launch' = 'PER_DEVICE' and exists (select from assignment m
                       where m.job_id = job.id and m.generation = job.generation and m.state = 'RUNNING')
                       as migrates
            from %s
                     left join (select job_id, profiling_target from job_profiling where not done) p on p.job_id = id
                     left join (select job_id, factor, gradient_bytes from job_aggregation) a on a.job_id = id
                         and a.gradient_bytes = cast(spec #>> '{synchronization,gradientBytes}' as double precision)
            where kind = 'TRAINING' and is_active(state) and (:all or id = any(:ids))
            order by seq
            """.formatted(SpecCache.Version.COLUMNS, RankChangeStore.RESCALES, SpecCache.Version.TABLES);

    /** Returns the job in a row of {@link #ACTIVE}, as of {@code now}. */
    static JobRow read(ResultSet row, double now) throws SQLException {
        String json = row.getString("allocation");
        String profilingTarget = row.getString("profiling_target");
        Allocation allocation = json == null ? null : RoundJson.mapper().readValue(json, Allocation.class);
        Double deadline = Rows.seconds(row, "deadline");
        return new JobRow(
                SpecCache.Version.of(row),
                row.getString("tenant"),
                Rows.secondsOf(row, "submitted_at"),
                Math.max(LAST_SAMPLE, row.getDouble("remaining")),
                row.getObject("expected_samples", Double.class),
                deadline,
                deadlineStatus(row.getString("deadline_status"), deadline),
                history(row, allocation, now),
                row.getLong("generation"),
                allocation,
                profilingTarget == null ? null : RoundJson.mapper().readValue(profilingTarget, ProfilingTarget.class),
                row.getDouble("gradients"),
                row.getBoolean("stopped"),
                Rows.seconds(row, "not_before"),
                unmet(row),
                row.getString("state").equals("COMPLETING"),
                row.getBoolean("keeps_request"),
                row.getBoolean("on_platform"),
                remedy(row.getString("remedy")),
                row.getBoolean("rescales"),
                row.getBoolean("migrates"));
    }

    private static AggregationRemedy.@Nullable Kind remedy(@Nullable String stored) {
        return stored == null ? null : AggregationRemedy.Kind.valueOf(stored);
    }

    private static List<StatedDependency> unmet(ResultSet row) throws SQLException {
        String json = row.getString("dependencies");
        if (json == null) {
            return List.of();
        }
        List<String> ids = Rows.strings(row, "unmet_dependencies");
        return Arrays.stream(RoundJson.mapper().readValue(json, StatedDependency[].class))
                .filter(dependency -> ids.contains(dependency.id()))
                .toList();
    }

    private static DeadlineStatus deadlineStatus(String stored, @Nullable Double deadline) {
        if (deadline == null) {
            return DeadlineStatus.NONE;
        }
        DeadlineStatus deadlineStatus = DeadlineStatus.valueOf(stored);
        return deadlineStatus == DeadlineStatus.NONE ? DeadlineStatus.PENDING : deadlineStatus;
    }

    /**
     * Returns the service that the job has received until {@code now}. The row counts up to the last change of the
     * allocation.
     */
    private static ServiceHistory history(ResultSet row, @Nullable Allocation allocation, double now)
            throws SQLException {
        double held = allocation == null ? 0 : Math.max(0, now - allocation.since());
        int slots = allocation == null ? 0 : allocation.configuration().slots();
        return new ServiceHistory(
                row.getDouble("attained_service") + slots * row.getDouble("device_share") * held,
                row.getDouble("run_seconds") + held,
                row.getInt("restarts"),
                Rows.seconds(row, "first_start"),
                Rows.secondsOf(row, "waiting_since"),
                Rows.secondsOf(row, "unserved_since"),
                allocation == null ? 0 : unsavedSeconds(row, allocation, now));
    }

    /**
     * Returns the seconds of work that a stop loses. A job that reports checkpoints loses the time since the last one.
     * A job that reports progress without them saves a checkpoint when it is stopped, as the Python package does. A job
     * that reports nothing loses the time since its start.
     */
    private static double unsavedSeconds(ResultSet row, Allocation allocation, double now) throws SQLException {
        Double checkpoint = row.getObject("checkpoint_at", Double.class);
        boolean reports = row.getLong("report_generation") == row.getLong("generation");
        if (checkpoint == null && reports) {
            return 0;
        }
        double saved = checkpoint == null ? allocation.since() : Math.max(checkpoint, allocation.since());
        return Math.max(0, now - saved);
    }

    /** Returns true if rounds must not start the job. A job that only has to report its completion cannot be held. */
    boolean heldBack() {
        return (stopped || isBlocked()) && !completing;
    }

    /** Returns true if the job waits for nothing but a time and its dependencies. */
    boolean isOnlyBlocked() {
        return !stopped && isBlocked() && !completing;
    }

    private boolean isBlocked() {
        return notBefore != null || !unmetDependencies.isEmpty();
    }

    /**
     * Adds a point for an accelerator type without a profile. Its speed is close to 0, so that the job runs there only
     * to be measured.
     */
    private static ThroughputProfile withPlaceFor(ProfilingTarget profilingTarget, JobSpec spec) {
        Integer batch = profilingTarget.batchSize();
        List<ProfilePoint> points = new ArrayList<>(spec.profile().points());
        points.add(new ProfilePoint(
                profilingTarget.acceleratorType(),
                profilingTarget.slots(),
                profilingTarget.nodes(),
                batch == null ? spec.batch().initial() : batch,
                profilingTarget.strategy(),
                profilingTarget.aggregationSlots(),
                NEXT_TO_NONE));
        return new ThroughputProfile(points, spec.profile().ratios());
    }

    /**
     * Returns false for a job that runs with another batch size: without it in the limits, a plan would stop the job.
     */
    private boolean hasInitialBatch(JobSpec spec) {
        return allocation == null
                || allocation.configuration().batchSize() == spec.batch().initial();
    }

    /**
     * Returns true if the platform may grant the job another host level at its next start. A job that runs with one
     * keeps its levels: without them, a plan would stop the job.
     */
    private boolean mayGrantHost(JobSpec spec) {
        HostSensitivity sensitivity = spec.hostSensitivity();
        boolean isGranted = allocation != null && allocation.configuration().host() != null;
        return sensitivity != null && sensitivity.onlyAtStart() && (isGranted || !keepsRequest);
    }

    /** Returns the job of this row. A job that only has to report its completion is not preemptible. */
    Job job(JobSpec spec) {
        JobSpec requested = spec;
        if (expectedSamples != null && expectedSamples > 0) {
            requested = requested
                    .edit()
                    .work(new Work(
                            WorkUnit.SAMPLES, expectedSamples, null, spec.work().targetLoss()))
                    .build();
        }
        if (keepsRequest && hasInitialBatch(spec)) {
            requested = requested.edit().batch(spec.batch().onlyInitial()).build();
        }
        if (gradients != 1) {
            requested = requested
                    .edit()
                    .synchronization(spec.synchronization().withGradients(gradients))
                    .build();
        }
        if (remedy == AggregationRemedy.Kind.OWN_CPUS) {
            requested = requested
                    .edit()
                    .synchronization(spec.synchronization().withoutSharing())
                    .build();
        }
        if (remedy == AggregationRemedy.Kind.ALL_REDUCE
                && spec.synchronization().allReduce()) {
            requested = requested
                    .edit()
                    .synchronization(Synchronization.allReduceOnly())
                    .build();
        }
        if (profilingTarget != null && !spec.profile().acceleratorTypes().contains(profilingTarget.acceleratorType())) {
            requested = requested.withSpeed(withPlaceFor(profilingTarget, spec), spec.efficiency());
        }
        if (onPlatform && !mayGrantHost(spec)) {
            requested = requested.edit().host(spec.host(), null).build();
        }
        if (!rescales) {
            requested = requested.without(ChangeMechanism.RESCALE);
        }
        if (!migrates) {
            requested = requested.without(ChangeMechanism.MIGRATE);
        }
        if (completing && allocation != null) {
            requested = requested.edit().preemptible(false).build();
        }
        return new Job(
                version.job(),
                tenant,
                arrival,
                requested,
                remainingSamples,
                deadline,
                deadlineStatus,
                history,
                allocation,
                profilingTarget);
    }
}
