package dev.spur.service.job;

import dev.spur.model.allocation.Allocation;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.job.DeadlineStatus;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.Rows;
import dev.spur.service.database.StatementBatch;
import dev.spur.service.job.StoredJob.JobDescriptor;
import dev.spur.service.job.StoredJob.JobRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.core.type.TypeReference;

/** Jobs, one at a time or in pages. */
@Repository
public class JobStore {
    private static final TypeReference<Map<String, String>> LABELS = new TypeReference<>() {};
    static final String SUMMARY = """
            select seq, id, kind, tenant, owner, name, external_id, labels::text as labels, deadline, deadline_status, wait_for_hardware,
                   depends_on, state, held, case when retry_at > now() then retry_at end as retry_at, submitted_at, ended_at, total_work, expected_samples, done_work, raw_samples,
                   report_generation, report_seq, generation, allocation::text as allocation, resource_grant::text as resource_grant, observed_state, observed_detail, observed_at,
                   checkpoint_step, version""";
    private static final String WHOLE =
            SUMMARY + ", spec::text as spec, command::text as command, next_command::text as next_command";
    /** Selects the job {@code :job} and locks it until the transaction ends. */
    public static final String LOCK = WHOLE + " from job where id = :job for no key update";
    /** Inserts a job. A single statement, so that it can be sent together with others. */
    private static final String INSERT = """
            with cluster as (select version = :cluster as is_current from cluster_version),
            claim as (
                insert into idempotency_key (caller, key, fingerprint, job_id)
                select :caller, cast(:key as text), :fingerprint, :id
                from cluster where is_current and cast(:key as text) is not null
                on conflict do nothing returning 1),
            added as (
                insert into job (id, kind, tenant, owner, name, external_id, labels, spec, command, deadline, deadline_status,
                                 wait_for_hardware, depends_on, state, total_work)
                select :id, :kind, :tenant, :owner, :name, :externalId, cast(:labels as jsonb), cast(:spec as jsonb), cast(:command as jsonb),
                       :deadline, :deadlineStatus, :waitForHardware, :dependsOn, 'SUBMITTED', :total
                from cluster where is_current and (cast(:key as text) is null or exists (select from claim))
                on conflict (tenant, external_id) do nothing
                returning seq, id, submitted_at),
            event as (
                insert into job_event (job_id, kind, detail)
                select id, 'SUBMITTED', jsonb_build_object('owner', cast(:owner as text)) from added)
            select seq, submitted_at, is_current from cluster left join added on true
            """;

    private final JdbcClient jdbc;
    private final NamedParameterJdbcOperations statements;

    JobStore(JdbcClient jdbc, NamedParameterJdbcOperations statements) {
        this.jdbc = jdbc;
        this.statements = statements;
    }

    /**
     * Idempotency key of a submission.
     *
     * @param caller name of the principal
     * @param key the key
     * @param fingerprint fingerprint of the submission
     */
    public record Claim(String caller, String key, String fingerprint) {}

    /**
     * Result of an insertion.
     *
     * @param job the job; null if none was added
     * @param current true if the cluster was at the version that the submission was validated against
     */
    public record Insertion(@Nullable StoredJob job, boolean current) {
        /** Result before the first attempt. */
        public static final Insertion UNTRIED = new Insertion(null, false);
    }

    /**
     * Adds a job with its first event and claims the key. Nothing is added if the cluster is not at version
     * {@code cluster}, or if the key or the external id is in use. The caller must roll back the transaction then.
     *
     * @param others adds further statements to the round trip
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public Insertion insert(NewJob job, @Nullable Claim claim, long cluster, Consumer<StatementBatch> others) {
        DeadlineStatus deadlineStatus = job.deadline() == null ? DeadlineStatus.NONE : DeadlineStatus.PENDING;
        StatementBatch batch = new StatementBatch(statements)
                .with("caller", claim == null ? "" : claim.caller())
                .with("key", claim == null ? null : claim.key())
                .with("fingerprint", claim == null ? "" : claim.fingerprint())
                .with("id", job.id())
                .with("kind", job.kind().name())
                .with("tenant", job.tenant())
                .with("owner", job.owner())
                .with("name", job.name())
                .with("externalId", job.externalId())
                .with("labels", RoundJson.mapper().writeValueAsString(job.labels()))
                .with("spec", job.spec())
                .with("command", job.command())
                .with("deadline", new SqlParameterValue(Types.TIMESTAMP_WITH_TIMEZONE, Rows.utc(job.deadline())))
                .with("deadlineStatus", deadlineStatus.name())
                .with("waitForHardware", job.waitForHardware())
                .with("dependsOn", job.dependsOn().toArray(String[]::new))
                .with("total", job.totalWork())
                .with("cluster", cluster);
        var insertion = batch.query(
                INSERT,
                (row, index) -> new Insertion(
                        Rows.number(row, "seq") == null ? null : added(job, deadlineStatus, row),
                        row.getBoolean("is_current")));
        others.accept(batch);
        batch.execute();
        return insertion.first().orElseThrow();
    }

    private static StoredJob added(NewJob job, DeadlineStatus deadlineStatus, ResultSet row) throws SQLException {
        return new StoredJob(
                row.getLong("seq"),
                job.id(),
                new JobDescriptor(job.kind(), job.tenant(), job.owner(), job.name(), job.externalId(), job.labels()),
                new JobRequest(
                        job.spec(),
                        job.command(),
                        null,
                        job.deadline(),
                        deadlineStatus,
                        job.waitForHardware(),
                        job.dependsOn()),
                JobState.SUBMITTED,
                false,
                null,
                Objects.requireNonNull(Rows.instant(row, "submitted_at")),
                null,
                new StoredJob.JobWork(job.totalWork(), null, 0, 0, 0, 0),
                0,
                null,
                null,
                null,
                1);
    }

    /** Earlier use of an idempotency key: fingerprint and job. */
    public record KeyUse(String fingerprint, String jobId) {}

    /** Returns the earlier use of the key by the caller. */
    public Optional<KeyUse> claimed(String caller, String key) {
        return jdbc.sql("select fingerprint, job_id from idempotency_key where caller = ? and key = ?")
                .params(caller, key)
                .query((row, index) -> new KeyUse(row.getString("fingerprint"), row.getString("job_id")))
                .optional();
    }

    /** Returns the job with this id. */
    public Optional<StoredJob> find(String id) {
        return jdbc.sql(WHOLE + " from job where id = ?")
                .param(id)
                .query(JobStore::whole)
                .optional();
    }

    /** Returns the job with this id and locks it until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public Optional<StoredJob> lock(String id) {
        return jdbc.sql(LOCK).param("job", id).query(JobStore::whole).optional();
    }

    /** State of a data preparation. */
    public record PreparationStatus(String id, JobState state) {}

    /**
     * Returns the states of those of {@code ids} that are data preparations of the tenant, and locks them until the
     * transaction ends. A concurrent completion waits, and then finds the new dependency.
     */
    public List<PreparationStatus> await(String tenant, Collection<String> ids) {
        return ids.isEmpty()
                ? List.of()
                : jdbc.sql("""
                                select id, state from job where id = any(?) and tenant = ? and kind = 'DATA_PREPARATION'
                                order by seq for share
                                """)
                        .params(ids.toArray(String[]::new), tenant)
                        .query((row, index) ->
                                new PreparationStatus(row.getString("id"), JobState.valueOf(row.getString("state"))))
                        .list();
    }

    /** Returns the id of the job with the external id. */
    public Optional<String> byExternalId(String tenant, String externalId) {
        return jdbc.sql("select id from job where tenant = ? and external_id = ?")
                .params(tenant, externalId)
                .query(String.class)
                .optional();
    }

    /** Locks those of the jobs that are active, in the order of publication, until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void lockActive(Collection<String> ids) {
        jdbc.sql("""
                        select seq from job where id = any(?) and state in ('SUBMITTED', 'WAITING', 'RUNNING', 'COMPLETING')
                        order by seq for no key update
                        """).param(ids.toArray(String[]::new)).query(Long.class).list();
    }

    public static StoredJob whole(ResultSet row, int index) throws SQLException {
        return read(row, row.getString("spec"), row.getString("command"), row.getString("next_command"));
    }

    static StoredJob read(ResultSet row, @Nullable String spec, @Nullable String command, @Nullable String nextCommand)
            throws SQLException {
        String allocation = row.getString("allocation");
        String grant = row.getString("resource_grant");
        return new StoredJob(
                row.getLong("seq"),
                row.getString("id"),
                new JobDescriptor(
                        JobKind.valueOf(row.getString("kind")),
                        row.getString("tenant"),
                        row.getString("owner"),
                        row.getString("name"),
                        row.getString("external_id"),
                        RoundJson.mapper().readValue(row.getString("labels"), LABELS)),
                new JobRequest(
                        spec,
                        command,
                        nextCommand,
                        Rows.instant(row, "deadline"),
                        DeadlineStatus.valueOf(row.getString("deadline_status")),
                        row.getBoolean("wait_for_hardware"),
                        Rows.strings(row, "depends_on")),
                JobState.valueOf(row.getString("state")),
                row.getBoolean("held"),
                Rows.instant(row, "retry_at"),
                Objects.requireNonNull(Rows.instant(row, "submitted_at")),
                Rows.instant(row, "ended_at"),
                work(row),
                row.getLong("generation"),
                allocation == null ? null : RoundJson.mapper().readValue(allocation, Allocation.class),
                grant == null ? null : RoundJson.mapper().readValue(grant, PreparationAllocation.class),
                observed(row),
                row.getLong("version"));
    }

    private static StoredJob.JobWork work(ResultSet row) throws SQLException {
        return new StoredJob.JobWork(
                row.getDouble("total_work"),
                row.getObject("expected_samples", Double.class),
                row.getDouble("done_work"),
                row.getDouble("raw_samples"),
                row.getLong("report_generation"),
                row.getLong("report_seq"));
    }

    private static StoredJob.@Nullable Observed observed(ResultSet row) throws SQLException {
        Instant at = Rows.instant(row, "observed_at");
        return at == null
                ? null
                : new StoredJob.Observed(
                        row.getString("observed_state"),
                        row.getString("observed_detail"),
                        at,
                        Rows.number(row, "checkpoint_step"));
    }
}
