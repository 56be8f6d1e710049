package dev.spur.service.connectors;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.reconcile.ActionRecord;
import dev.spur.service.database.RecordMapper;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Actions of connectors with their outcomes. */
@Repository
class ConnectorActionStore {
    private static final List<String> COMPONENTS = List.of(
            "revision",
            "job",
            "kind",
            "slots",
            "batch",
            "host",
            "priority",
            "state",
            "step",
            "deadline",
            "failures",
            "detail");
    private static final String SELECT = """
            select revision, job, kind, placement as slots, batch, host, priority, state, step, step_deadline as deadline, failures, detail
            from connector_action where connector = ?
            """;

    private final JdbcClient jdbc;

    ConnectorActionStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns open actions, the oldest first. */
    public List<ActionRecord> open(String connector) {
        return jdbc.sql(SELECT + " and state = 'OPEN' order by seq")
                .param(connector)
                .query(RecordMapper.of(ActionRecord.class))
                .list();
    }

    /**
     * Returns failed actions, the newest first, without those that a later action of the job has made obsolete: one of
     * the same kind, or one that is more than a hold.
     */
    public List<ActionRecord> failedActions(String connector, int limit) {
        return jdbc.sql(SELECT + """
                         and state in ('FAILED', 'REFUSED') and not exists (
                            select from connector_action later
                            where later.connector = connector_action.connector and later.job = connector_action.job
                              and later.seq > connector_action.seq and later.state in ('DONE', 'JOB_ENDED')
                              and (later.kind = connector_action.kind or later.kind not in ('HOLD', 'ORDER')))
                        order by seq desc limit ?
                        """)
                .params(connector, limit)
                .query(RecordMapper.of(ActionRecord.class))
                .list();
    }

    /** Returns one action. */
    public Optional<ActionRecord> find(String connector, String id) {
        return jdbc.sql(SELECT + " and id = ?")
                .params(connector, id)
                .query(RecordMapper.of(ActionRecord.class))
                .optional();
    }

    /** Returns the action of a job that started last. */
    public Optional<ActionRecord> lastOf(String connector, String job) {
        return jdbc.sql(SELECT + " and job = ? order by seq desc limit 1")
                .params(connector, job)
                .query(RecordMapper.of(ActionRecord.class))
                .optional();
    }

    /** Returns how often in a row starts of a job have failed or were rejected. */
    public int failedStarts(String connector, String job) {
        return jdbc.sql("""
                        select count(*) from connector_action failed
                        where connector = :connector and job = :job and kind in ('START', 'SHRINK', 'MOVE', 'GROW')
                          and state in ('FAILED', 'REFUSED') and not exists (
                            select from connector_action later
                            where later.connector = :connector and later.job = :job and later.seq > failed.seq
                              and later.kind in ('START', 'SHRINK', 'MOVE', 'GROW') and later.state = 'DONE')
                        """)
                .param("connector", connector)
                .param("job", job)
                .query(Integer.class)
                .single();
    }

    /** Stores an action. An action that starts again moves behind all others. */
    public void write(String connector, ActionRecord entry) {
        JobAction action = entry.action();
        if (entry.equals(ActionRecord.open(action))) {
            jdbc.sql("delete from connector_action where connector = ? and id = ?")
                    .params(connector, action.id())
                    .update();
        }
        jdbc.sql("""
                        insert into connector_action (connector, id, revision, job, kind, placement, batch, host, priority, state, step,
                            step_deadline, failures, detail)
                        values (:connector, :id, :revision, :job, :kind, :slots, :batch, :host, :priority, :state, :step,
                            :deadline, :failures, :detail)
                        on conflict (connector, id) do update set state = :state, step = :step, step_deadline = :deadline,
                            failures = :failures, detail = :detail, changed_at = now()
                        """)
                .params(RecordMapper.parameters(entry, COMPONENTS))
                .param("connector", connector)
                .param("id", action.id())
                .update();
    }
}
