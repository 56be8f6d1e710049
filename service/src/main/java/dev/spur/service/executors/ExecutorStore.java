package dev.spur.service.executors;

import dev.spur.model.cluster.NodeState;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.DatabaseClockStore;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.jobs.AssignmentStore;
import dev.spur.service.security.AccessScope;
import java.sql.Types;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Executors and their leases. Leases run on the last reading of the database clock alone, so that a jump of the clock
 * ends no lease. Lock order of a transaction: executors, then jobs, then nodes.
 */
@Repository
class ExecutorStore {
    private static final String SELECT = """
            select e.*, e.state = 'LOST' as lost, device_usage as usage, lease_expires_at as lease_until,
                   lease_expires_at > %1$s as lease_holds, reclaim_at <= %1$s as overdue,
                   extract(epoch from reclaim_at - %1$s) as seconds_to_reclaim,
                   (select count(*) from assignment a where a.node = e.id
                        and holds_devices(a.state)) as holding
            from executor e
            """.formatted(DatabaseClockStore.STEADY_NOW);

    /** Selects the executor {@code :node} and locks it until the transaction ends. */
    static final String LOCK = SELECT + " where id = :node for no key update of e";

    private final JdbcClient jdbc;

    ExecutorStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the executor with this id. */
    public Optional<StoredExecutor> find(String id) {
        return jdbc.sql(SELECT + " where id = ?")
                .param(id)
                .query(RecordMapper.of(StoredExecutor.class))
                .optional();
    }

    /** Returns whether the lease of any executor holds, or its grace period has not ended. */
    public boolean anyAlive() {
        return jdbc.sql("select exists (select from executor where state = 'ALIVE')")
                .query(Boolean.class)
                .single();
    }

    /** Returns the executor with this id and locks it until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public Optional<StoredExecutor> lock(String id) {
        return jdbc.sql(LOCK)
                .param("node", id)
                .query(RecordMapper.of(StoredExecutor.class))
                .optional();
    }

    /** Returns the first {@code limit} executors within the scope whose id comes after {@code after}, by id. */
    public List<StoredExecutor> list(AccessScope reach, String after, int limit) {
        return jdbc.sql(SELECT + " where id > ? and id = coalesce(cast(? as text), id) order by id limit ?")
                .param(after)
                .param(reach.node())
                .param(limit)
                .query(RecordMapper.of(StoredExecutor.class))
                .list();
    }

    /**
     * Blocks other registrations of this executor id until the transaction ends, whether the executor exists or not.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public void queueUp(String id) {
        jdbc.sql("select pg_advisory_xact_lock(hashtextextended('executor ' || ?, 0))")
                .param(id)
                .query(row -> {});
    }

    /**
     * Device that another executor has registered that is not lost.
     *
     * @param executor id of the other executor
     * @param secondsToReclaim time until the other executor is lost if it does not report
     */
    public record DeviceConflict(String device, String executor, double secondsToReclaim) {}

    /**
     * Returns those of {@code devices} that other executors have registered. Registrations of any of these devices wait
     * until the transaction ends.
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public List<DeviceConflict> conflicts(String id, Collection<String> devices) {
        if (devices.isEmpty()) {
            return List.of();
        }
        String[] ids = devices.toArray(String[]::new);
        jdbc.sql("""
                        select pg_advisory_xact_lock(hashtextextended('device ' || device, 0))
                        from (select device from unnest(cast(? as text[])) device order by device) sorted
                        """).param(ids).query(row -> {});
        return jdbc.sql("""
                        select device, e.id as executor, extract(epoch from e.reclaim_at - %s) as seconds_to_reclaim from executor e, unnest(e.devices) device
                        where e.state = 'ALIVE' and e.id <> ? and e.devices && cast(? as text[]) and device = any(?) order by device, e.id
                        """.formatted(DatabaseClockStore.STEADY_NOW))
                .params(id, ids, ids)
                .query(RecordMapper.of(DeviceConflict.class))
                .list();
    }

    /** Registers an executor, new or again. Returns its registration epoch, which was never issued before. */
    public long register(String id, Registration registration, double leaseSeconds, double graceSeconds) {
        return jdbc.sql("""
                        insert into executor as e (id, instance, registration_epoch, state, version, address, devices, host_enforcement, registered_at,
                            seen_at, lease_expires_at, reclaim_at, lease_duration)
                        select :id, :instance, nextval('executor_registration_epoch'), 'ALIVE', :version, :address, :devices, :enforcement, at, at,
                            at + make_interval(secs => :lease), at + make_interval(secs => :lease + :grace),
                            make_interval(secs => :lease + :grace)
                        from (select clock_timestamp() as at) now
                        on conflict (id) do update
                        set instance = excluded.instance, registration_epoch = excluded.registration_epoch, state = 'ALIVE',
                            version = excluded.version, address = excluded.address, devices = excluded.devices, host_enforcement = excluded.host_enforcement,
                            unhealthy = '{}', device_usage = '[]', start_refusal = null, registered_at = excluded.registered_at, seen_at = excluded.seen_at,
                            lease_expires_at = excluded.lease_expires_at, reclaim_at = excluded.reclaim_at, lease_duration = excluded.lease_duration,
                            observed_revision = null, node_state = null
                        returning registration_epoch
                        """)
                .param("id", id)
                .param("instance", registration.instance())
                .param("version", registration.version())
                .param("address", Objects.requireNonNullElse(registration.address(), id))
                .param("devices", registration.uuids().toArray(String[]::new))
                .param("enforcement", registration.hostEnforcement())
                .param("lease", leaseSeconds)
                .param("grace", graceSeconds)
                .query(Long.class)
                .single();
    }

    /** Renews the lease and stores what the heartbeat reports of the executor. */
    public void renew(String id, Heartbeat status, double leaseSeconds, double graceSeconds) {
        jdbc.sql("""
                        update executor set seen_at = clock_timestamp(), observed_revision = :revision, unhealthy = :unhealthy,
                            device_usage = cast(:usage as jsonb), start_refusal = :refusal,
                            lease_expires_at = clock_timestamp() + make_interval(secs => :lease),
                            reclaim_at = clock_timestamp() + make_interval(secs => :lease + :grace),
                            lease_duration = make_interval(secs => :lease + :grace)
                        where id = :id
                        """)
                .param("revision", status.observedRevision(), Types.BIGINT)
                .param("unhealthy", status.unhealthy().toArray(String[]::new))
                .param("usage", RoundJson.mapper().writeValueAsString(status.usage()))
                .param("refusal", status.startRefusal(), Types.VARCHAR)
                .param("lease", leaseSeconds)
                .param("grace", graceSeconds)
                .param("id", id)
                .update();
    }

    /** Returns the executors whose lease and grace period have ended and that are not marked as lost yet. */
    public List<String> overdue() {
        return jdbc.sql("""
                        select id from executor where state = 'ALIVE' and reclaim_at <= %s
                        order by reclaim_at limit 1000
                        """.formatted(DatabaseClockStore.STEADY_NOW))
                .query(String.class)
                .list();
    }

    /**
     * Marks an executor as lost. {@code node} is the previous state of its node; null if the node was lost already or
     * does not exist.
     */
    public void lose(String id, @Nullable NodeState node) {
        jdbc.sql("update executor set state = 'LOST', node_state = :node where id = :id")
                .param("node", node == null ? null : node.name())
                .param("id", id)
                .update();
    }

    /** Deletes an executor. */
    public void delete(String id) {
        jdbc.sql("delete from executor where id = ?").param(id).update();
    }

    /** Returns the addresses of those of {@code nodes} that have an executor. */
    public Map<String, String> addresses(Collection<String> nodes) {
        Map<String, String> addresses = new HashMap<>();
        jdbc.sql("select id, address from executor where id = " + (nodes.size() == 1 ? "?" : "any(?)"))
                .param(AssignmentStore.names(nodes))
                .query(row -> {
                    addresses.put(row.getString("id"), row.getString("address"));
                });
        return addresses;
    }

    /** Number of executors, and number of lost ones among them. */
    public record Count(long known, long lost) {}

    /** Counts the executors. */
    public Count count() {
        return jdbc.sql("select count(*) as known, count(*) filter (where state = 'LOST') as lost from executor")
                .query(RecordMapper.of(Count.class))
                .single();
    }
}
