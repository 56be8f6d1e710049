package dev.spur.service.dataprep;

import dev.spur.model.json.RoundJson;
import dev.spur.service.database.Rows;
import dev.spur.service.job.JobHistory;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.core.type.TypeReference;

/** Events of preparations. */
@Repository
public class PreparationHistory {
    private static final TypeReference<Map<String, Object>> DETAIL = new TypeReference<>() {};

    private final JdbcClient jdbc;

    PreparationHistory(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Adds an event. Must run in the transaction of the change. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void tell(String preparation, String kind, Map<String, Object> detail) {
        jdbc.sql("insert into preparation_event (preparation_id, kind, detail) values (?, ?, cast(? as jsonb))")
                .params(preparation, kind, RoundJson.mapper().writeValueAsString(detail))
                .update();
    }

    /** Returns the first {@code limit} events of a preparation after number {@code after}. */
    public List<JobHistory.Event> events(String preparation, long after, int limit) {
        return jdbc.sql("""
                        select id, at, kind, detail::text as detail from preparation_event where preparation_id = ? and id > ?
                        order by id limit ?
                        """)
                .params(preparation, after, limit)
                .query((row, index) -> new JobHistory.Event(
                        row.getLong("id"),
                        Objects.requireNonNull(Rows.instant(row, "at")),
                        row.getString("kind"),
                        RoundJson.mapper().readValue(row.getString("detail"), DETAIL)))
                .list();
    }
}
