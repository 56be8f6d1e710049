package dev.spur.service.connectors;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.PlatformText;
import dev.spur.connectors.reconcile.PlatformObservation;
import dev.spur.connectors.reconcile.ReconcileReport;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.RecordMapper;
import dev.spur.service.plans.LeaseStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Connectors with their control levels, their status and the lease of the replica that runs each. The lease runs on the
 * clock of the database.
 */
@Repository
class ConnectorStore {
    private static final String SELECT = """
            select name, kind, control_level, failures, circuit_open_reason, last_sync_at, last_sync_error, sync_report, version from connector
            """;

    private final JdbcClient jdbc;

    ConnectorStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Connector.
     *
     * @param circuitOpenReason reason why the circuit breaker opened and set the level to OBSERVE; null if it is closed
     * @param version version of the row, which counts changes of the control level
     */
    public record Row(
            String name,
            String kind,
            ControlLevel controlLevel,
            int failures,
            @Nullable String circuitOpenReason,
            @Nullable Instant lastSyncAt,
            @Nullable String lastSyncError,
            @Nullable SyncReport syncReport,
            @JsonIgnore long version) {}

    /** Report of one synchronization with a platform. Members as in the contract. */
    record SyncReport(
            boolean inSync,
            int pendingChanges,
            int blocked,
            int nodes,
            long jobs,
            Map<String, String> manuallyOverridden,
            Map<String, Integer> unmanagedUsage,
            List<String> notes) {
        SyncReport {
            manuallyOverridden = new TreeMap<>(manuallyOverridden);
            manuallyOverridden.replaceAll((job, seen) -> PlatformText.clean(seen));
            unmanagedUsage = new TreeMap<>(unmanagedUsage);
            notes = notes.stream().map(PlatformText::clean).toList();
        }

        static SyncReport of(
                PlatformObservation seen,
                ReconcileReport report,
                Map<String, Integer> unmanagedUsage,
                List<String> notes) {
            return new SyncReport(
                    report.inSync(),
                    report.pendingChanges().size(),
                    report.blocked().size(),
                    seen.nodes().size(),
                    seen.jobs().values().stream()
                            .filter(job -> !job.state().hasEnded())
                            .count(),
                    report.manuallyOverridden(),
                    unmanagedUsage,
                    notes);
        }
    }

    /** Registers a connector with a control level, unless it exists. */
    public void enter(String name, String kind, ControlLevel controlLevel) {
        jdbc.sql("insert into connector (name, kind, control_level) values (?, ?, ?) on conflict do nothing")
                .params(name, kind, controlLevel.name())
                .update();
    }

    /** Takes or renews the lease. Returns false if another replica holds it. */
    public boolean hold(String name, String holder, double seconds) {
        return jdbc.sql("""
                        update connector set holder = :holder, expires_at = clock_timestamp() + make_interval(secs => :seconds),
                            lease_duration = make_interval(secs => :seconds)
                        where name = :name and (holder = :holder or %s)
                        """.formatted(LeaseStore.FREE))
                        .param("holder", holder)
                        .param("seconds", seconds)
                        .param("name", name)
                        .update()
                == 1;
    }

    /** Ends the lease at once if it is held. */
    public void release(String name, String holder) {
        jdbc.sql("update connector set expires_at = clock_timestamp() where name = ? and holder = ?")
                .params(name, holder)
                .update();
    }

    /** Returns a connector. */
    public Optional<Row> find(String name) {
        return jdbc.sql(SELECT + " where name = ?")
                .param(name)
                .query(RecordMapper.of(Row.class))
                .optional();
    }

    /** Returns a connector and locks it until the transaction ends. */
    @Transactional(propagation = Propagation.MANDATORY)
    public Optional<Row> lock(String name) {
        return jdbc.sql(SELECT + " where name = ? for update")
                .param(name)
                .query(RecordMapper.of(Row.class))
                .optional();
    }

    /** Returns the first {@code limit} connectors after {@code name}, by name. */
    public List<Row> list(String name, int limit) {
        return jdbc.sql(SELECT + " where name > ? order by name limit ?")
                .params(name, limit)
                .query(RecordMapper.of(Row.class))
                .list();
    }

    /** Sets the control level on behalf of an operator and resets the failures. */
    public void allow(String name, ControlLevel controlLevel) {
        jdbc.sql("""
                        update connector set control_level = ?, failures = 0, circuit_open_reason = null, version = version + 1 where name = ?
                        """).params(controlLevel.name(), name).update();
    }

    /**
     * Stores the failures of a connector. If {@code circuitOpenReason} is not null, the control level falls back to
     * OBSERVE. The control level never rises here.
     */
    public void writeStatus(String name, int failures, @Nullable String circuitOpenReason) {
        jdbc.sql("update connector set failures = ? where name = ?")
                .params(failures, name)
                .update();
        if (circuitOpenReason != null) {
            jdbc.sql("""
                            update connector set control_level = 'OBSERVE', circuit_open_reason = ?, version = version + 1
                            where name = ? and control_level <> 'OBSERVE'
                            """).params(circuitOpenReason, name).update();
        }
    }

    /** Stores the report of a successful sync. */
    void recordSync(String name, SyncReport syncReport) {
        jdbc.sql("""
                        update connector set last_sync_at = now(), last_sync_error = null, sync_report = cast(? as jsonb) where name = ?
                        """)
                .params(RoundJson.mapper().writeValueAsString(syncReport), name)
                .update();
    }

    /** Stores the error of a failed sync. */
    public void recordFailure(String name, String lastSyncError) {
        jdbc.sql("update connector set last_sync_at = now(), last_sync_error = ? where name = ?")
                .params(lastSyncError, name)
                .update();
    }
}
