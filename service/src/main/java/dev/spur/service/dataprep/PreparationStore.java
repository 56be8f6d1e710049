package dev.spur.service.dataprep;

import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.Rows;
import dev.spur.service.database.ScopeCondition;
import dev.spur.service.job.JobStore;
import dev.spur.service.security.AccessScope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.core.type.TypeReference;

/** Jobs that prepare data. Changes must run in a transaction. */
@Repository
public class PreparationStore {
    private static final TypeReference<Map<String, String>> LABELS = new TypeReference<>() {};
    private static final TypeReference<Map<String, Double>> ACTIVITY = new TypeReference<>() {};
    private static final String SELECT = """
            select seq, id, tenant, owner, name, external_id, labels::text as labels, spec::text as spec, command::text as command, state,
                   submitted_at, waiting_since, ended_at, generation, allocation::text as allocation,
                   coalesce(extract(epoch from now()) - cast(allocation ->> 'since' as double precision), 0) as held_seconds, done_seconds, report_generation,
                   report_seq, activity::text as activity, failures, detail, coalesce(retry_at > now(), false) as pauses, held, version
            from preparation
            """;
    private static final String ACTIVE = " where state in ('WAITING', 'RUNNING')";
    /** Selects the preparations that hold resources, in order of submission. */
    public static final String GRANTED = SELECT + ACTIVE + " and allocation is not null order by seq";

    private final JdbcClient jdbc;

    public PreparationStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Preparation at submission.
     *
     * @param externalId id in another system, unique in the tenant; null if there is none
     * @param command command that executors start, as JSON; null if executors do not start it
     */
    public record NewPreparation(
            String id,
            String tenant,
            String owner,
            String name,
            @Nullable String externalId,
            Map<String, String> labels,
            PreparationSpec spec,
            @Nullable String command) {
        public NewPreparation {
            labels = Map.copyOf(labels);
        }
    }

    /** Adds a preparation. Returns false if the external id is in use. */
    @Transactional(propagation = Propagation.MANDATORY)
    public boolean insert(NewPreparation preparation) {
        return jdbc.sql("""
                        insert into preparation (id, tenant, owner, name, external_id, labels, spec, command, state)
                        values (?, ?, ?, ?, ?, cast(? as jsonb), cast(? as jsonb), cast(? as jsonb), 'WAITING') on conflict do nothing
                        """)
                        .param(preparation.id())
                        .param(preparation.tenant())
                        .param(preparation.owner())
                        .param(preparation.name())
                        .param(preparation.externalId())
                        .param(RoundJson.mapper().writeValueAsString(preparation.labels()))
                        .param(RoundJson.mapper().writeValueAsString(preparation.spec()))
                        .param(preparation.command())
                        .update()
                == 1;
    }

    /** Claims an idempotency key. Returns false if it was used before. */
    @Transactional(propagation = Propagation.MANDATORY)
    public boolean claim(JobStore.Claim claim, String id) {
        return jdbc.sql("""
                        insert into idempotency_key (caller, key, fingerprint, job_id) values (?, ?, ?, ?) on conflict do nothing
                        """)
                        .params(claim.caller(), claim.key(), claim.fingerprint(), id)
                        .update()
                == 1;
    }

    /** Returns the preparation with this id. */
    public Optional<StoredPreparation> find(String id) {
        return one(" where id = ?", id);
    }

    /** Returns the preparation with this id and locks it until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public Optional<StoredPreparation> lock(String id) {
        return one(" where id = ? for no key update", id);
    }

    private Optional<StoredPreparation> one(String where, String id) {
        return jdbc.sql(SELECT + where).param(id).query(PreparationStore::read).optional();
    }

    /**
     * Returns the newest preparations submitted before number {@code before}, the newest first. Empty {@code states}
     * stand for all states.
     */
    public List<StoredPreparation> list(
            AccessScope reach, List<String> states, @Nullable String tenant, long before, int limit) {
        StringBuilder sql = new StringBuilder(SELECT + " where seq < ?");
        List<Object> parameters = new ArrayList<>(List.of(before));
        sql.append(ScopeCondition.preparations(reach, parameters));
        if (!states.isEmpty()) {
            sql.append(" and state = any(?)");
            parameters.add(states.toArray(String[]::new));
        }
        if (tenant != null) {
            sql.append(" and tenant = ?");
            parameters.add(tenant);
        }
        parameters.add(limit);
        return jdbc.sql(sql.append(" order by seq desc limit ?").toString())
                .params(parameters)
                .query(PreparationStore::read)
                .list();
    }

    /** Returns the waiting and running preparations, in order of submission. */
    public List<StoredPreparation> active() {
        return jdbc.sql(SELECT + ACTIVE + " order by seq")
                .query(PreparationStore::read)
                .list();
    }

    /** Returns the waiting and running preparations and locks them until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public List<StoredPreparation> lockActive() {
        return jdbc.sql(SELECT + ACTIVE + " order by seq for no key update")
                .query(PreparationStore::read)
                .list();
    }

    /** Sets the allocation of a preparation; null releases it. A start begins a new generation. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void grant(String id, long generation, @Nullable PreparationAllocation grant) {
        jdbc.sql("""
                        update preparation set generation = :generation, allocation = cast(:granted as jsonb), version = version + 1,
                            state = case when cast(:granted as jsonb) is null then 'WAITING' else 'RUNNING' end,
                            waiting_since = case when cast(:granted as jsonb) is null and allocation is not null then now() else waiting_since end
                        where id = :id
                        """)
                .param("generation", generation)
                .param("granted", grant == null ? null : RoundJson.mapper().writeValueAsString(grant))
                .param("id", id)
                .update();
    }

    /** Holds or releases a preparation. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void hold(String id, boolean held) {
        jdbc.sql("""
                        update preparation set held = :held, version = version + 1,
                            waiting_since = case when :held then waiting_since else now() end
                        where id = :id
                        """).param("held", held).param("id", id).update();
    }

    /** Updates the name, the labels and the specification of a preparation. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void respecify(String id, String name, Map<String, String> labels, PreparationSpec spec) {
        jdbc.sql("""
                        update preparation set name = ?, labels = cast(? as jsonb), spec = cast(? as jsonb), version = version + 1
                        where id = ?
                        """)
                .param(name)
                .param(RoundJson.mapper().writeValueAsString(labels))
                .param(RoundJson.mapper().writeValueAsString(spec))
                .param(id)
                .update();
    }

    /** Stores a report of the current generation. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void report(
            String id,
            long generation,
            long seq,
            double doneSeconds,
            Map<String, Double> activity,
            @Nullable String detail) {
        jdbc.sql("""
                        update preparation set report_generation = ?, report_seq = ?, done_seconds = ?, activity = cast(? as jsonb),
                            detail = coalesce(?, detail), version = version + 1
                        where id = ?
                        """)
                .param(generation)
                .param(seq)
                .param(doneSeconds)
                .param(RoundJson.mapper().writeValueAsString(activity))
                .param(detail)
                .param(id)
                .update();
    }

    /** Returns a preparation to the queue after its {@code failures}th consecutive failure. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void requeue(String id, int failures, double pauseSeconds, @Nullable String detail) {
        jdbc.sql("""
                        update preparation set state = 'WAITING', allocation = null, waiting_since = now(), failures = ?,
                            retry_at = now() + make_interval(secs => ?), detail = coalesce(?, detail), version = version + 1
                        where id = ?
                        """)
                .param(failures)
                .param(pauseSeconds)
                .param(detail)
                .param(id)
                .update();
    }

    /** Ends a preparation. If it is done, jobs no longer wait for it. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void end(String id, PreparationState state, @Nullable String detail) {
        jdbc.sql("""
                        update preparation set state = ?, allocation = null, ended_at = now(), detail = coalesce(?, detail), version = version + 1
                        where id = ?
                        """).param(state.name()).param(detail).param(id).update();
        if (state == PreparationState.DONE) {
            jdbc.sql("""
                            update job set depends_on = array_remove(depends_on, cast(? as text)), version = version + 1
                            where depends_on @> array[cast(? as text)]
                            """).params(id, id).update();
        }
    }

    /**
     * Returns the states of preparations of a tenant and locks them until the transaction ends. A concurrent completion
     * waits, and then finds the new dependency.
     */
    public PreparationDependencies await(String tenant, Collection<String> ids) {
        if (ids.isEmpty()) {
            return new PreparationDependencies(List.of());
        }
        return new PreparationDependencies(
                jdbc.sql("select id, state from preparation where id = any(?) and tenant = ? order by id for share")
                        .param(ids.toArray(String[]::new))
                        .param(tenant)
                        .query((row, index) -> new PreparationStatus(
                                row.getString("id"), PreparationState.valueOf(row.getString("state"))))
                        .list());
    }

    /** State of a preparation. */
    public record PreparationStatus(String id, PreparationState state) {}

    /** States of the preparations that a job depends on. */
    public record PreparationDependencies(List<PreparationStatus> known) {
        public PreparationDependencies {
            known = List.copyOf(known);
        }

        /** Returns the state of a preparation; empty if there is none with this id. */
        public Optional<PreparationState> state(String id) {
            return known.stream()
                    .filter(one -> one.id().equals(id))
                    .map(PreparationStatus::state)
                    .findFirst();
        }
    }

    public static StoredPreparation read(ResultSet row, int index) throws SQLException {
        String granted = row.getString("allocation");
        return new StoredPreparation(
                row.getLong("seq"),
                row.getString("id"),
                row.getString("tenant"),
                row.getString("owner"),
                row.getString("name"),
                row.getString("external_id"),
                RoundJson.mapper().readValue(row.getString("labels"), LABELS),
                RoundJson.mapper().readValue(row.getString("spec"), PreparationSpec.class),
                row.getString("command"),
                PreparationState.valueOf(row.getString("state")),
                Objects.requireNonNull(Rows.instant(row, "submitted_at")),
                Objects.requireNonNull(Rows.instant(row, "waiting_since")),
                Rows.instant(row, "ended_at"),
                row.getLong("generation"),
                granted == null ? null : RoundJson.mapper().readValue(granted, PreparationAllocation.class),
                Math.max(0, row.getDouble("held_seconds")),
                new StoredPreparation.Progress(
                        row.getDouble("done_seconds"),
                        row.getLong("report_generation"),
                        row.getLong("report_seq"),
                        RoundJson.mapper().readValue(row.getString("activity"), ACTIVITY),
                        row.getInt("failures"),
                        row.getString("detail")),
                row.getBoolean("pauses"),
                row.getBoolean("held"),
                row.getLong("version"));
    }
}
