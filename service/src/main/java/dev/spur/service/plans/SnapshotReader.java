package dev.spur.service.plans;

import dev.spur.model.cluster.AcceleratorType;
import dev.spur.model.cluster.Node;
import dev.spur.model.cluster.Pool;
import dev.spur.model.dataprep.MemoryUse;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobDependency;
import dev.spur.model.job.JobGroup;
import dev.spur.model.round.NodeLossHandling;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.tenant.Tenant;
import dev.spur.service.cluster.AcceleratorTypeStore;
import dev.spur.service.cluster.ClusterCalendar;
import dev.spur.service.cluster.MaintenanceStore;
import dev.spur.service.cluster.NodeMemoryStore;
import dev.spur.service.cluster.NodeStore;
import dev.spur.service.cluster.NodesInMaintenance;
import dev.spur.service.cluster.PastUsageStore;
import dev.spur.service.cluster.PoolStore;
import dev.spur.service.cluster.ReservationStore;
import dev.spur.service.cluster.Settings;
import dev.spur.service.cluster.TenantStore;
import dev.spur.service.cluster.TimedReservation;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.StatementBatch;
import dev.spur.service.database.StatementBatch.Query;
import dev.spur.service.jobs.EffectiveSpec;
import dev.spur.service.jobs.JobGroupStore;
import dev.spur.service.jobs.PreparationStore;
import dev.spur.service.jobs.StoredPreparation;
import dev.spur.service.plans.StateSnapshot.JobVersion;
import dev.spur.simulator.eta.BlockedJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Reads the live state as the input of a round, as of one moment and without quarantined devices. Times are in seconds
 * since 1970 by the clock of the database. The time of a snapshot is never before the snapshot of an earlier round.
 */
@Repository
public class SnapshotReader {
    /** Number of jobs of an array whose simulated ends stand for that of the array: those that are to start last. */
    private static final int LAST_OF_ARRAY = 100;

    private static final String BEGINNING = """
            select greatest(now(), (select snapshot_at from round where snapshot_at is not null order by number desc limit 1)) as now,
                (select memory from round where memory is not null order by number desc limit 1) as memory,
                (select body from settings) as settings,
                (select coalesce(jsonb_object_agg(a.id, array(
                        select m.id from job m where m.array_id = a.id and is_active(m.state) order by m.seq desc limit %d)), '{}')
                    from (select distinct d ->> 'array' as id from job, jsonb_array_elements(depends_on) d
                        where is_active(state) and unmet_dependencies <> '{}' and d ->> 'array' = any(unmet_dependencies)) a) as awaited_arrays
            """.formatted(LAST_OF_ARRAY);

    private final NamedParameterJdbcOperations statements;
    private final PastUsageStore usage;
    private final SpecCache specs;

    SnapshotReader(NamedParameterJdbcOperations statements, PastUsageStore usage, SpecCache specs) {
        this.statements = statements;
        this.usage = usage;
        this.specs = specs;
    }

    /**
     * State with which a round begins.
     *
     * @param now current time, not before the snapshot of the last round
     * @param memory memory of the last round; null before the first
     * @param settings current settings; null before the first change
     * @param awaitedArrays arrays that active jobs wait for, with their last jobs that have not ended
     */
    private record Beginning(
            double now,
            @Nullable RoundMemory memory,
            @Nullable Settings settings,
            Map<String, List<String>> awaitedArrays) {
        Instant instant() {
            return Instant.EPOCH.plusNanos(Math.round(now * 1e9));
        }
    }

    /** Returns the current state. Held jobs are not part of the input. */
    @Transactional(readOnly = true)
    public StateSnapshot read() {
        return inOneTransaction(null);
    }

    /** Returns the current state with {@code job} as the only job, for queries about a single job. */
    @Transactional(readOnly = true)
    public StateSnapshot readAlone(String job) {
        return inOneTransaction(List.of(job));
    }

    /** Returns the current state without training jobs, for queries about the cluster. */
    @Transactional(readOnly = true)
    public StateSnapshot readCluster() {
        return inOneTransaction(List.of());
    }

    /** Returns the current state with the jobs of these ids; null for all jobs. */
    private StateSnapshot inOneTransaction(@Nullable List<String> ids) {
        StatementBatch batch = new StatementBatch(statements)
                .with("all", ids == null)
                .with("ids", ids == null ? new String[0] : ids.toArray(String[]::new))
                .add(StatementBatch.AS_OF_ONE_MOMENT);
        var beginning = batch.query(BEGINNING, RecordMapper.of(Beginning.class));
        var rows = batch.query(
                JobRow.ACTIVE,
                (row, index) -> JobRow.read(row, beginning.first().orElseThrow().now()));
        var preparations = batch.query(PreparationStore.ACTIVE, RecordMapper.of(StoredPreparation.class));
        ClusterState cluster = ClusterState.readIn(batch);
        batch.execute();
        Settings settings =
                Objects.requireNonNullElse(beginning.first().orElseThrow().settings(), Settings.DEFAULT);
        TrainingJobs jobs = jobs(rows.rows(), beginning.first().orElseThrow().awaitedArrays(), ids == null);
        ClusterCalendar calendar = new ClusterCalendar(
                cluster.reservations().rows(), cluster.maintenance().rows());
        RoundProblem problem = problem(
                beginning.first().orElseThrow(), settings, jobs.offered(), preparations.rows(), cluster, calendar);
        return new StateSnapshot(
                NodeLossHandling.stopJobs(problem),
                jobs.held(),
                jobs.blockedJobs(),
                jobs.stamps(),
                preparations.rows(),
                calendar,
                settings);
    }

    private RoundProblem problem(
            Beginning beginning,
            Settings settings,
            List<Job> jobs,
            List<StoredPreparation> preparations,
            ClusterState cluster,
            ClusterCalendar calendar) {
        Double halfLife = settings.planning().fairShare().halfLifeSeconds();
        return new RoundProblem(
                RoundProblem.FORMAT,
                beginning.now(),
                settings.planning(),
                cluster.types().rows(),
                cluster.pools().rows(),
                cluster.nodes().rows(),
                calendar.reservationsAt(beginning.instant()),
                cluster.tenants().rows(),
                cluster.groups().rows(),
                jobs,
                Objects.requireNonNullElse(beginning.memory(), RoundMemory.EMPTY),
                preparations.stream()
                        .filter(preparation -> !preparation.heldBack())
                        .map(StoredPreparation::inRound)
                        .toList(),
                cluster.memory().rows(),
                calendar.maintenanceAt(beginning.instant()),
                halfLife == null ? List.of() : usage.untilNow(halfLife),
                List.of());
    }

    /** Results of the queries for the cluster as rounds use it: nodes have no quarantined devices. */
    private record ClusterState(
            Query<AcceleratorType> types,
            Query<Pool> pools,
            Query<Node> nodes,
            Query<TimedReservation> reservations,
            Query<Tenant> tenants,
            Query<JobGroup> groups,
            Query<MemoryUse> memory,
            Query<NodesInMaintenance> maintenance) {
        static ClusterState readIn(StatementBatch batch) {
            return new ClusterState(
                    batch.query(AcceleratorTypeStore.ALL, RecordMapper.of(AcceleratorType.class)),
                    batch.query(PoolStore.ALL, RecordMapper.of(Pool.class)),
                    batch.query(NodeStore.IN_ROUNDS, RecordMapper.of(Node.class)),
                    batch.query(ReservationStore.IN_ROUNDS, RecordMapper.of(TimedReservation.class)),
                    batch.query(TenantStore.ALL, RecordMapper.of(Tenant.class)),
                    batch.query(JobGroupStore.ALL, RecordMapper.of(JobGroup.class)),
                    batch.query(NodeMemoryStore.ALL, RecordMapper.of(MemoryUse.class)),
                    batch.query(MaintenanceStore.AHEAD, RecordMapper.of(NodesInMaintenance.class)));
        }
    }

    /** Training jobs of a snapshot, with the components of {@link StateSnapshot}. */
    private record TrainingJobs(
            List<Job> offered, List<Job> held, Map<String, BlockedJob> blockedJobs, Map<String, JobVersion> stamps) {}

    /** Returns the jobs of {@code rows} with their specifications; {@code areAll} if no other job is active. */
    private TrainingJobs jobs(List<JobRow> rows, Map<String, List<String>> awaitedArrays, boolean areAll) {
        Set<SpecCache.Version> versions = rows.stream().map(JobRow::version).collect(Collectors.toSet());
        Map<SpecCache.Version, EffectiveSpec> specOf = specs.read(versions);
        if (areAll) {
            specs.retain(versions);
        }
        TrainingJobs jobs = new TrainingJobs(new ArrayList<>(), new ArrayList<>(), new HashMap<>(), new HashMap<>());
        for (JobRow row : rows) {
            EffectiveSpec predicted = specOf.get(row.version());
            if (predicted == null) {
                continue;
            }
            String id = row.version().job();
            Job job = row.job(predicted.of(row.deadlineStatus()));
            (row.heldBack() ? jobs.held() : jobs.offered()).add(job);
            if (row.isOnlyBlocked()) {
                jobs.blockedJobs().put(id, new BlockedJob(job, row.notBefore(), dependencies(row, awaitedArrays)));
            }
            jobs.stamps().put(id, new JobVersion(row.generation(), row.version().spec(), row.allocation()));
        }
        return jobs;
    }

    /** Returns the unmet dependencies of a job; one on an array as one on each of its jobs. */
    private static List<JobDependency> dependencies(JobRow row, Map<String, List<String>> awaitedArrays) {
        return row.unmetDependencies().stream()
                .flatMap(one -> awaitedArrays.getOrDefault(one.id(), List.of(one.id())).stream()
                        .map(job -> new JobDependency(job, one.when())))
                .toList();
    }
}
