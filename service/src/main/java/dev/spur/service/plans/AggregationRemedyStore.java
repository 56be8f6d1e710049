package dev.spur.service.plans;

import dev.spur.model.aggregation.AggregationRemedy;
import dev.spur.model.json.RoundJson;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Remedies that later rounds take into account. */
@Repository
public class AggregationRemedyStore {
    private final JdbcClient jdbc;

    AggregationRemedyStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Stores {@code remedies}; one of a job replaces its earlier one. */
    public void write(List<AggregationRemedy> remedies) {
        if (remedies.stream().anyMatch(remedy -> remedy.kind() != AggregationRemedy.Kind.NONE)) {
            jdbc.sql("""
                            insert into aggregation_remedy (job_id, kind)
                            select r."jobId", r.kind from jsonb_to_recordset(cast(:remedies as jsonb)) as r ("jobId" text, kind text)
                            where r.kind <> 'NONE'
                            on conflict (job_id) do update set kind = excluded.kind, decided_at = now()
                            """)
                    .param("remedies", RoundJson.mapper().writeValueAsString(remedies))
                    .update();
        }
    }
}
