package dev.spur.service.outcomes;

import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.contract.ContractedClient;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Tests on jobs of 10 January 2026 whose history is known to the second. Times of day are in UTC. */
abstract class PastCluster extends ServiceTest {
    static final String DAY = "since=2026-01-10T00:00:00Z&until=2026-01-11T00:00:00Z";

    @Autowired
    CapacityStore capacities;

    @Autowired
    JdbcClient jdbc;

    @LocalServerPort
    private int port;

    ContractedClient api;

    @BeforeEach
    void registerTenants() {
        api = new ContractedClient(port);
        world.sql(
                "insert into tenant (name, parent, weight, quotas) values ('x', 'root', 1, '{}'), ('y', 'root', 1, '{}')");
        round("00:00:00");
    }

    /** The only round, with which the history begins. */
    void round(String at) {
        world.sql("delete from round");
        world.sql("""
                insert into round (number, lease_term, trigger, status, started_at, finished_at)
                values (1, 1, 'test', 'UNCHANGED', cast(? as timestamptz), now())
                """, time(at));
    }

    static String time(String ofDay) {
        return "2026-01-10T" + ofDay + "Z";
    }

    /** A job that wants a slot or more, with 10,000 s of work on one slot and 1,250 s on the most, 8. */
    String job(String tenant, String submitted) {
        String job = world.job(1);
        world.sql(
                "update job set tenant = ?, submitted_at = cast(? as timestamptz) where id = ?",
                tenant,
                time(submitted),
                job);
        return job;
    }

    /** Ends a job with its work done. */
    void ended(String job, String state, String at) {
        world.sql("update job set state = ?, ended_at = cast(? as timestamptz) where id = ?", state, time(at), job);
    }

    /** A generation of a job. {@code until} and {@code progress} may be null. */
    void held(String job, int generation, String change, int slots, String from, String until, String progress) {
        StringBuilder devices = new StringBuilder();
        for (int d = 0; d < slots; d++) {
            devices.append(d == 0 ? "" : ", ").append("\"d").append(d).append('"');
        }
        world.sql(
                """
                insert into job_allocation (job_id, generation, plan_revision, change, allocation, started_at, ended_at, first_progress_at)
                values (?, ?, 1, ?, cast(? as jsonb), cast(? as timestamptz), cast(? as timestamptz), cast(? as timestamptz))
                """,
                job,
                generation,
                change,
                """
                {"configuration": {"pool": "main", "acceleratorType": "A100", "shape": [%d], "strategy": "ALL_REDUCE",
                  "aggregationSlots": 0, "batchSize": 64, "accumulationSteps": 0},
                 "placement": [{"node": "n1", "devices": [%s]}], "aggregation": [], "since": 0}
                """.formatted(slots, devices),
                time(from),
                until == null ? null : time(until),
                progress == null ? null : time(progress));
        world.sql(
                "update job set report_generation = ? where id = ? and cast(? as text) is not null",
                generation,
                job,
                progress);
    }

    void capacity(String from, int slots, int unavailable) {
        world.sql(
                "insert into slot_capacity values ('A100', cast(? as timestamptz), ?, ?)",
                time(from),
                slots,
                unavailable);
    }
}
