package dev.spur.service.jobs;

import dev.spur.model.cluster.NodeRequirement;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.database.Rows;
import dev.spur.service.database.StatementBatch;
import dev.spur.service.jobs.StoredJob.JobDescriptor;
import dev.spur.service.jobs.StoredJob.JobRequest;
import dev.spur.service.security.Sha256;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.SqlParameterValue;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.JsonNode;

/** Jobs, one at a time or in pages. */
@Repository
public class JobStore {
    private static final String COLUMNS = """
            select seq, id, kind, tenant, owner, name, external_id, labels,
                   case when array_id is not null then jsonb_build_object('id', array_id, 'index', array_index) end as "array", deadline, deadline_status, wait_for_hardware,
                   device_share, not_before, depends_on, unmet_dependencies, state, held, case when retry_at > now() then retry_at end as retry_at, %s,
                   submitted_at, coalesce(allocated_since, waiting_since) as since, ended_at, %s as limit_at,
                   total_work as total, expected_samples as expected, done_work as done, raw_samples as raw,
                   report_generation, report_seq, generation, allocation, resource_grant as grant,
                   case when observed_at is not null then jsonb_build_object('state', observed_state, 'detail', observed_detail,
                       'at', observed_at, 'lastCheckpointStep', checkpoint_step) end as observed, version""".formatted(PauseMessages.COLUMN, TimeLimitStore.LIMIT_AT);
    /** Selects jobs without their specifications and commands. */
    static final String SUMMARY = COLUMNS + ", null as spec, null as command, null as next_command";

    private static final String WHOLE = COLUMNS + ", spec, command, next_command";
    /** Selects the job {@code :job} and locks it until the transaction ends. */
    public static final String LOCK = WHOLE + " from job where id = :job for no key update";
    /**
     * Inserts a job. Its generations follow those of earlier jobs with the same checkpoints, so that it resumes from
     * the newest of them, and no process of an earlier job saves after it. A single statement, so that it can be sent
     * together with others. The key is a column of {@code cluster}: with a condition on the parameter itself,
     * PostgreSQL plans each submission without a key again.
     */
    private static final String INSERT = """
            with cluster as (select version = :cluster as is_current, cast(:key as text) as key from cluster_version),
            claim as (
                insert into idempotency_key (caller, key, fingerprint, job_id)
                select :caller, key, :fingerprint, :id from cluster where is_current and key is not null
                on conflict do nothing returning 1),
            earlier as (
                select coalesce(max(generation), 0) as last from job
                where tenant = :tenant and command ->> 'checkpointDir' = cast(:command as jsonb) ->> 'checkpointDir'),
            added as (
                insert into job (id, kind, tenant, owner, name, external_id, labels, spec, command, deadline, deadline_status,
                                 wait_for_hardware, not_before, depends_on, unmet_dependencies, state, total_work, generation, started_generation)
                select :id, :kind, :tenant, :owner, :name, :externalId, cast(:labels as jsonb), cast(:spec as jsonb), cast(:command as jsonb),
                       :deadline, :deadlineStatus, :waitForHardware, :notBefore, cast(:dependsOn as jsonb), :unmet, 'SUBMITTED', :total, last, last
                from cluster, earlier where is_current and (key is null or exists (select from claim))
                on conflict (tenant, external_id) do nothing
                returning seq, id, submitted_at, generation),
            event as (
                insert into job_event (job_id, kind, detail)
                select id, 'SUBMITTED', jsonb_build_object('owner', cast(:owner as text)) from added)
            select seq, submitted_at, generation, is_current from cluster left join added on true
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
     * @param fingerprint hash of the submission, equal for bodies that differ only in the order of members or the
     *     notation of numbers
     */
    public record Claim(String caller, String key, String fingerprint) {
        /**
         * Returns the claim of a request; null without a key. Call this before defaults that depend on the cluster or
         * on earlier jobs are filled in, so that a repeated request keeps its fingerprint.
         */
        public static @Nullable Claim of(String caller, @Nullable String key, JsonNode body) {
            if (key == null) {
                return null;
            }
            StringBuilder canonical = new StringBuilder();
            append(body, canonical);
            return new Claim(caller, key, Sha256.hex(canonical.toString()));
        }

        private static void append(JsonNode node, StringBuilder to) {
            if (node.isObject()) {
                to.append('{');
                sort(node).forEach((name, value) -> {
                    if (!value.isNull()) {
                        append(name, to);
                        append(value, to);
                        to.append(',');
                    }
                });
                to.append('}');
            } else if (node.isArray()) {
                to.append('[');
                for (JsonNode item : node) {
                    append(item, to);
                    to.append(',');
                }
                to.append(']');
            } else if (node.isNumber()) {
                to.append(node.decimalValue().stripTrailingZeros());
            } else if (node.isString()) {
                append(node.asString(), to);
            } else {
                to.append(node);
            }
        }

        private static SortedMap<String, JsonNode> sort(JsonNode object) {
            SortedMap<String, JsonNode> members = new TreeMap<>();
            object.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
            return members;
        }

        /** Appends a text with its length, so that different texts never have one result. */
        private static void append(String text, StringBuilder to) {
            to.append(text.length()).append(':').append(text);
        }
    }

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
        JobDescriptor descriptor = job.descriptor();
        JobRequest request = job.request();
        StatementBatch batch = new StatementBatch(statements)
                .with("caller", claim == null ? "" : claim.caller())
                .with("key", claim == null ? null : claim.key())
                .with("fingerprint", claim == null ? "" : claim.fingerprint())
                .with("id", job.id())
                .with("kind", descriptor.kind().name())
                .with("tenant", descriptor.tenant())
                .with("owner", descriptor.owner())
                .with("name", descriptor.name())
                .with("externalId", descriptor.externalId())
                .with("labels", RoundJson.mapper().writeValueAsString(descriptor.labels()))
                .with("spec", Objects.requireNonNull(request.spec()).text())
                .with(
                        "command",
                        request.command() == null ? null : request.command().text())
                .with("deadline", new SqlParameterValue(Types.TIMESTAMP_WITH_TIMEZONE, Rows.utc(request.deadline())))
                .with("deadlineStatus", request.deadlineStatus().name())
                .with("waitForHardware", request.waitForHardware())
                .with("notBefore", new SqlParameterValue(Types.TIMESTAMP_WITH_TIMEZONE, Rows.utc(request.notBefore())))
                .with("dependsOn", RoundJson.mapper().writeValueAsString(request.dependsOn()))
                .with("unmet", job.unmetDependencies().toArray(String[]::new))
                .with("total", job.totalWork())
                .with("cluster", cluster);
        var insertion = batch.query(
                INSERT,
                (row, index) -> new Insertion(
                        Rows.number(row, "seq") == null ? null : toStoredJob(job, row), row.getBoolean("is_current")));
        others.accept(batch);
        batch.execute();
        return insertion.first().orElseThrow();
    }

    private static StoredJob toStoredJob(NewJob job, ResultSet row) throws SQLException {
        return new StoredJob(
                row.getLong("seq"),
                job.id(),
                job.descriptor(),
                job.request(),
                job.unmetDependencies(),
                JobState.SUBMITTED,
                false,
                null,
                null,
                Objects.requireNonNull(Rows.instant(row, "submitted_at")),
                Objects.requireNonNull(Rows.instant(row, "submitted_at")),
                null,
                null,
                new StoredJob.JobWork(job.totalWork(), null, 0, 0, 0, 0),
                row.getLong("generation"),
                null,
                null,
                null,
                1);
    }

    /** Earlier use of an idempotency key: fingerprint, and id of the job or array. */
    public record KeyUse(String fingerprint, String resource) {}

    /** Returns the earlier use of the key by the caller. */
    public Optional<KeyUse> findClaim(String caller, String key) {
        return jdbc.sql(
                        "select fingerprint, coalesce(job_id, array_id) as resource from idempotency_key where caller = ? and key = ?")
                .params(caller, key)
                .query(RecordMapper.of(KeyUse.class))
                .optional();
    }

    /** Another job with a checkpoint directory. */
    public record CheckpointUser(String name, boolean active) {}

    /**
     * Locks the checkpoint directory {@code path} of {@code tenant} until the transaction ends, and returns a job other
     * than {@code id} that has it, an active one first; empty if there is none.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public Optional<CheckpointUser> lockCheckpoints(String tenant, String path, String id) {
        jdbc.sql("select 1 from pg_advisory_xact_lock(hashtextextended(?, 0))")
                .param(tenant + " " + path)
                .query(Integer.class)
                .single();
        return jdbc.sql("""
                        select coalesce(name, id) as name, is_active(state) as active from job
                        where tenant = :tenant and id <> :id
                            and (command ->> 'checkpointDir' = :path or next_command ->> 'checkpointDir' = :path)
                        order by is_active(state) desc limit 1
                        """)
                .param("tenant", tenant)
                .param("path", path)
                .param("id", id)
                .query(RecordMapper.of(CheckpointUser.class))
                .optional();
    }

    /** Returns how many requirements on nodes active jobs have; 0 if one of them has {@code requirements}. */
    public long otherNodeRequirements(List<NodeRequirement> requirements) {
        return jdbc.sql("""
                        select case when coalesce(bool_or(nodes = cast(:own as jsonb)), false) then 0 else count(distinct nodes) end
                        from job, lateral (values (spec #> '{elasticity,nodes}'), (spec #> '{elasticity,preferredNodes,requirements}')) stated (nodes)
                        where is_active(state) and nodes <> '[]'
                        """)
                .param("own", RoundJson.mapper().writeValueAsString(requirements))
                .query(Long.class)
                .single();
    }

    /** Returns the job with this id. */
    public Optional<StoredJob> find(String id) {
        return jdbc.sql(WHOLE + " from job where id = ?")
                .param(id)
                .query(RecordMapper.of(StoredJob.class))
                .optional();
    }

    /** Returns the job with this id and locks it until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public Optional<StoredJob> lock(String id) {
        return jdbc.sql(LOCK)
                .param("job", id)
                .query(RecordMapper.of(StoredJob.class))
                .optional();
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
                        select seq from job where id = any(?) and is_active(state)
                        order by seq for no key update
                        """).param(ids.toArray(String[]::new)).query(Long.class).list();
    }

    /**
     * Job at submission.
     *
     * @param unmetDependencies ids of the jobs of its dependencies whose condition is not met
     * @param totalWork work in effective samples; of a data preparation in seconds
     */
    public record NewJob(
            String id, JobDescriptor descriptor, JobRequest request, List<String> unmetDependencies, double totalWork) {
        public NewJob {
            unmetDependencies = List.copyOf(unmetDependencies);
        }

        /** Returns this job with other unmet dependencies. */
        public NewJob awaiting(List<String> others) {
            return new NewJob(id, descriptor, request, others, totalWork);
        }
    }
}
