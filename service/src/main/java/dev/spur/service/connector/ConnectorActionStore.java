package dev.spur.service.connector;

import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.Step;
import dev.spur.connectors.reconcile.ActionRecord;
import dev.spur.model.json.RoundJson;
import dev.spur.service.database.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;

/** Actions of connectors with their outcomes. */
@Repository
class ConnectorActionStore {
    private static final TypeReference<Map<String, Integer>> SLOTS = new TypeReference<>() {};
    private static final String SELECT = """
            select revision, job, kind, placement::text as placement, priority, state, step, step_deadline, failures, detail
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
                .query((row, index) -> read(row))
                .list();
    }

    /** Returns failed actions, the newest first. */
    public List<ActionRecord> failed(String connector, int limit) {
        return jdbc.sql(SELECT + " and state in ('FAILED', 'REFUSED') order by seq desc limit ?")
                .params(connector, limit)
                .query((row, index) -> read(row))
                .list();
    }

    /** Returns one action. */
    public Optional<ActionRecord> find(String connector, String id) {
        return jdbc.sql(SELECT + " and id = ?")
                .params(connector, id)
                .query((row, index) -> read(row))
                .optional();
    }

    /** Returns the action of a job that started last. */
    public Optional<ActionRecord> lastOf(String connector, String job) {
        return jdbc.sql(SELECT + " and job = ? order by seq desc limit 1")
                .params(connector, job)
                .query((row, index) -> read(row))
                .optional();
    }

    /** Stores an action. An action that starts again moves behind all others. */
    public void write(String connector, ActionRecord entry) {
        JobAction action = entry.action();
        boolean begun = entry.equals(ActionRecord.begun(action));
        if (begun) {
            jdbc.sql("delete from connector_action where connector = ? and id = ?")
                    .params(connector, action.id())
                    .update();
        }
        Step step = entry.step();
        jdbc.sql("""
                        insert into connector_action (connector, id, revision, job, kind, placement, priority, state, step,
                            step_deadline, failures, detail)
                        values (:connector, :id, :revision, :job, :kind, cast(:placement as jsonb), :priority, :state, :step,
                            :until, :failures, :detail)
                        on conflict (connector, id) do update set state = :state, step = :step, step_deadline = :until,
                            failures = :failures, detail = :detail, changed_at = now()
                        """)
                .param("connector", connector)
                .param("id", action.id())
                .param("revision", action.revision())
                .param("job", action.job())
                .param("kind", action.kind().name())
                .param(
                        "placement",
                        RoundJson.mapper().writeValueAsString(action.placement().slots()))
                .param("priority", action.priority())
                .param("state", entry.state().name())
                .param("step", step == null ? null : step.name())
                .param("until", Rows.utc(entry.deadline()), Types.TIMESTAMP_WITH_TIMEZONE)
                .param("failures", entry.failures())
                .param("detail", entry.detail())
                .update();
    }

    private static ActionRecord read(ResultSet row) throws SQLException {
        String step = row.getString("step");
        return new ActionRecord(
                new JobAction(
                        row.getLong("revision"),
                        row.getString("job"),
                        JobAction.Kind.valueOf(row.getString("kind")),
                        JobPlacement.of(RoundJson.mapper().readValue(row.getString("placement"), SLOTS)),
                        row.getLong("priority")),
                ActionRecord.State.valueOf(row.getString("state")),
                step == null ? null : Step.valueOf(step),
                Rows.instant(row, "step_deadline"),
                row.getInt("failures"),
                row.getString("detail"));
    }
}
