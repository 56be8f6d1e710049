package dev.spur.service.snapshot;

import dev.spur.model.dataprep.Preparation;
import dev.spur.model.job.Job;
import dev.spur.model.job.JobSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.NodeLossHandling;
import dev.spur.model.round.RoundMemory;
import dev.spur.model.round.RoundProblem;
import dev.spur.service.database.Rows;
import dev.spur.service.database.StatementBatch;
import dev.spur.service.dataprep.PreparationStore;
import dev.spur.service.dataprep.StoredPreparation;
import dev.spur.service.job.EffectiveSpec;
import dev.spur.service.settings.Settings;
import dev.spur.service.settings.SettingsStore;
import dev.spur.service.snapshot.StateSnapshot.JobVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Reads the live state as the input of a round, as of one moment and without quarantined devices. Times are in seconds
 * since 1970 by the clock of the database. The time of a snapshot is never before the snapshot of an earlier round.
 */
@Repository
public class SnapshotReader {
    private final JdbcClient jdbc;
    private final SettingsStore settings;
    private final ClusterReader cluster;
    private final TenancyReader tenancy;
    private final PreparationStore preparations;
    private final SpecCache specs;

    SnapshotReader(
            JdbcClient jdbc,
            SettingsStore settings,
            ClusterReader cluster,
            TenancyReader tenancy,
            PreparationStore preparations,
            SpecCache specs) {
        this.jdbc = jdbc;
        this.settings = settings;
        this.cluster = cluster;
        this.tenancy = tenancy;
        this.preparations = preparations;
        this.specs = specs;
    }

    /** Returns the current state. Held jobs are not part of the input. */
    @Transactional(readOnly = true)
    public StateSnapshot read() {
        return inOneTransaction(null);
    }

    /** Returns the current state with {@code job} as the only job, for queries about a single job. */
    @Transactional(readOnly = true)
    public StateSnapshot readAlone(String job) {
        return inOneTransaction(job);
    }

    private StateSnapshot inOneTransaction(@Nullable String only) {
        jdbc.sql(StatementBatch.AS_OF_ONE_MOMENT).update();
        double now = now();
        Settings current = settings.current().value();
        List<JobRow> rows = JobRow.active(jdbc, now, only);
        Set<SpecCache.Version> versions = rows.stream().map(JobRow::version).collect(Collectors.toSet());
        Map<SpecCache.Version, EffectiveSpec> specOf = specs.read(versions);
        if (only == null) {
            specs.retain(versions);
        }
        List<Job> offered = new ArrayList<>();
        List<Job> held = new ArrayList<>();
        Map<String, List<String>> awaiting = new HashMap<>();
        Map<String, JobVersion> stamps = new HashMap<>();
        for (JobRow row : rows) {
            EffectiveSpec believed = specOf.get(row.version());
            if (believed == null) {
                continue;
            }
            JobSpec spec = believed.of(row.deadlineStatus());
            (row.heldBack() ? held : offered).add(row.job(spec));
            if (row.awaitsDataAlone()) {
                awaiting.put(row.version().job(), row.dependsOn());
            }
            stamps.put(
                    row.version().job(),
                    new JobVersion(row.generation(), row.version().spec(), row.allocation()));
        }
        List<StoredPreparation> active = preparations.active();
        RoundProblem problem = problem(
                now,
                current,
                offered,
                active.stream()
                        .filter(preparation -> !preparation.heldBack())
                        .map(StoredPreparation::inRound)
                        .toList());
        return new StateSnapshot(problem, held, awaiting, stamps, active, current);
    }

    private RoundProblem problem(double now, Settings current, List<Job> jobs, List<Preparation> prepared) {
        return NodeLossHandling.stopJobs(new RoundProblem(
                RoundProblem.FORMAT,
                now,
                current.planning(),
                cluster.types(),
                cluster.pools(),
                cluster.nodes(),
                cluster.reservations(),
                tenancy.tenants(),
                tenancy.groups(),
                jobs,
                memory(),
                prepared,
                cluster.memoryUse(),
                cluster.maintenance(),
                tenancy.usage(current.planning().fairShare().halfLifeSeconds()),
                List.of()));
    }

    private double now() {
        return jdbc.sql("""
                        select greatest(now(), (select snapshot_at from round where snapshot_at is not null
                                                order by number desc limit 1)) as now
                        """).query((row, index) -> Rows.secondsOf(row, "now")).single();
    }

    private RoundMemory memory() {
        return jdbc.sql("select memory::text from round where memory is not null order by number desc limit 1")
                .query(String.class)
                .optional()
                .map(json -> RoundJson.mapper().readValue(json, RoundMemory.class))
                .orElse(RoundMemory.EMPTY);
    }
}
