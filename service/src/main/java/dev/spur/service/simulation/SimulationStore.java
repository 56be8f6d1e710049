package dev.spur.service.simulation;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.spur.model.json.RoundJson;
import dev.spur.model.round.RoundProblem;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.security.AccessScope;
import dev.spur.service.snapshot.StoredSnapshot;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Simulations, from the request to the result. Only the worker that has claimed a simulation can end it, and only once.
 */
@Repository
class SimulationStore {
    private static final String COLUMNS = """
            seq, id, kind, owner, request, state, attempts, progress, submitted_at, started_at, ended_at, error, results
            """;

    private final JdbcClient jdbc;

    SimulationStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Request for a simulation.
     *
     * @param kind kind of the work
     * @param owner name of the caller
     * @param key idempotency key of the owner; null for none
     * @param fingerprint fingerprint of the request
     * @param request the request as JSON
     * @param problem snapshot of the live state; null if it is not required
     * @param tenants tenants that the owner is restricted to; null for all
     */
    public record NewSimulation(
            String id,
            @JsonIgnore SimulationKind kind,
            String owner,
            @Nullable String key,
            String fingerprint,
            String request,
            @Nullable RoundProblem problem,
            @Nullable Set<String> tenants) {}

    /** Simulation as the API returns it. Members as in the contract. */
    public record Row(
            @JsonIgnore long seq,
            String id,
            @JsonIgnore SimulationKind kind,
            String owner,
            @JsonRawValue String request,
            String state,
            int attempts,
            double progress,
            Instant submittedAt,
            @Nullable Instant startedAt,
            @Nullable Instant endedAt,
            @Nullable String error,
            @JsonRawValue @Nullable String results) {}

    /** Earlier use of an idempotency key. */
    public record KeyUse(String fingerprint, String id) {}

    /** Returns the earlier use of the key by the owner. */
    public Optional<KeyUse> findClaim(String owner, String key) {
        return jdbc.sql("select fingerprint, id from simulation where owner = ? and key = ?")
                .params(owner, key)
                .query(RecordMapper.of(KeyUse.class))
                .optional();
    }

    /**
     * Adds a simulation, unless {@code max} simulations are queued or the key is in use. Returns true if it was added.
     */
    @Transactional
    public boolean add(NewSimulation requested, int max) {
        byte[] problem = requested.problem() == null
                ? null
                : StoredSnapshot.of(requested.problem()).gzip();
        jdbc.sql("select pg_advisory_xact_lock(hashtext('spur_simulations'))").query(row -> {});
        return jdbc.sql("""
                        insert into simulation (id, kind, owner, key, fingerprint, request, snapshot, state, tenants)
                        select :id, :kind, :owner, cast(:key as text), :fingerprint, :request, :snapshot, 'QUEUED',
                            cast(:tenants as text[])
                        where (select count(*) from simulation where state = 'QUEUED') < :most
                        on conflict (owner, key) do nothing
                        """)
                        .param("id", requested.id())
                        .param("kind", requested.kind().name())
                        .param("owner", requested.owner())
                        .param("key", requested.key())
                        .param("fingerprint", requested.fingerprint())
                        .param("request", requested.request())
                        .param("snapshot", problem, Types.BINARY)
                        .param(
                                "tenants",
                                requested.tenants() == null
                                        ? null
                                        : requested.tenants().toArray(String[]::new))
                        .param("most", max)
                        .update()
                == 1;
    }

    /** Returns one simulation of a kind. */
    public Optional<Row> find(SimulationKind kind, String id) {
        return jdbc.sql("select " + COLUMNS + " from simulation where id = ? and kind = ?")
                .params(id, kind.name())
                .query(RecordMapper.of(Row.class))
                .optional();
    }

    /**
     * Returns the newest simulations of a kind before number {@code before} whose owner had no wider scope than
     * {@code reach}.
     */
    public List<Row> before(SimulationKind kind, AccessScope reach, long before, int limit) {
        List<Object> parameters = new ArrayList<>(List.of(before, kind.name()));
        String within = "";
        if (reach.tenants() != null) {
            within = " and tenants <@ cast(? as text[])";
            parameters.add(reach.tenants().toArray(String[]::new));
        }
        parameters.add(limit);
        return jdbc.sql("select " + COLUMNS + " from simulation where seq < ? and kind = ?" + within
                        + " order by seq desc limit ?")
                .params(parameters)
                .query(RecordMapper.of(Row.class))
                .list();
    }

    /** Returns the snapshot of the live state that the simulation starts from. */
    public Optional<RoundProblem> problem(String id) {
        return jdbc.sql("select snapshot from simulation where id = ? and snapshot is not null")
                .param(id)
                .query(byte[].class)
                .optional()
                .map(bytes -> RoundJson.mapper().readValue(StoredSnapshot.json(bytes), RoundProblem.class));
    }

    /** Returns the table as CSV, once the simulation is done. */
    public Optional<String> csv(String id) {
        return text("csv", id);
    }

    /** Returns the page with plots, once the simulation is done. */
    public Optional<String> report(String id) {
        return text("report", id);
    }

    private Optional<String> text(String column, String id) {
        return jdbc.sql("select " + column + " from simulation where id = ? and " + column + " is not null")
                .param(id)
                .query(String.class)
                .optional();
    }

    /** Cancels a simulation. Returns true if it had not ended. */
    public boolean cancel(String id) {
        return jdbc.sql("""
                        update simulation set state = 'CANCELLED', ended_at = now(), snapshot = null
                        where id = ? and state in ('QUEUED', 'RUNNING')
                        """).param(id).update() == 1;
    }

    /**
     * Claims the oldest simulation that is queued, or whose worker has sent no heartbeat for {@code silentSeconds}. A
     * simulation that was started {@code max} times without an end fails.
     */
    @Transactional
    public Optional<Row> claim(String worker, double silentSeconds, int max) {
        jdbc.sql("""
                        update simulation set state = 'FAILED', ended_at = now(), snapshot = null,
                            error = 'The simulation was started ' || attempts || ' times, and its service stopped each time.'
                        where state = 'RUNNING' and attempts >= ? and heartbeat_at < now() - make_interval(secs => ?)
                        """).params(max, silentSeconds).update();
        return jdbc.sql("""
                        update simulation set state = 'RUNNING', attempts = attempts + 1, worker = ?, progress = 0,
                            heartbeat_at = now(), started_at = now()
                        where seq = (select seq from simulation where state = 'QUEUED' or (state = 'RUNNING'
                                and heartbeat_at < now() - make_interval(secs => ?))
                            order by seq limit 1 for update skip locked)
                        returning
                        """ + COLUMNS)
                .params(worker, silentSeconds)
                .query(RecordMapper.of(Row.class))
                .optional();
    }

    /**
     * Records a heartbeat. Returns false if the worker must stop, because the simulation was canceled or another worker
     * has claimed it.
     */
    public boolean isAlive(String id, String worker, double progress) {
        return jdbc.sql("""
                        update simulation set heartbeat_at = now(), progress = ?
                        where id = ? and worker = ? and state = 'RUNNING'
                        """).params(progress, id, worker).update() == 1;
    }

    /** Returns a simulation to the queue. It starts again from the beginning. */
    public void giveBack(String id, String worker) {
        jdbc.sql("""
                        update simulation set state = 'QUEUED', attempts = attempts - 1, progress = 0, worker = null
                        where id = ? and worker = ? and state = 'RUNNING'
                        """).params(id, worker).update();
    }

    /** Ends a simulation with results. */
    public void complete(String id, String worker, String results, String csv, @Nullable String report) {
        jdbc.sql("""
                        update simulation set state = 'DONE', progress = 1, ended_at = now(), snapshot = null, results = ?,
                            csv = ?, report = ?
                        where id = ? and worker = ? and state = 'RUNNING'
                        """)
                .param(results)
                .param(csv)
                .param(report)
                .param(id)
                .param(worker)
                .update();
    }

    /** Ends a simulation with an error. */
    public void fail(String id, String worker, String error) {
        jdbc.sql("""
                        update simulation set state = 'FAILED', ended_at = now(), snapshot = null, error = ?
                        where id = ? and worker = ? and state = 'RUNNING'
                        """).params(error, id, worker).update();
    }

    /** Deletes all ended simulations but the newest {@code count}. */
    public void prune(int count) {
        jdbc.sql("""
                        delete from simulation where ended_at is not null
                            and seq <= (select seq from simulation where ended_at is not null
                                order by seq desc offset ? limit 1)
                        """).param(count).update();
    }
}
