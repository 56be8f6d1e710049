package dev.spur.service.api;

import dev.spur.model.aggregation.AggregationRemedy;
import dev.spur.model.aggregation.AggregationRemedy.Kind;
import dev.spur.model.allocation.Allocation;
import dev.spur.model.allocation.Configuration;
import dev.spur.model.allocation.NodeShare;
import dev.spur.model.dataprep.PreparationAllocation;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.dataprep.SlowdownCurve;
import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.model.round.ChangeKind;
import dev.spur.model.round.SolutionQuality;
import dev.spur.model.round.SolveStatus;
import dev.spur.service.database.NotificationChannel;
import dev.spur.service.plans.PlanDocument;
import dev.spur.service.plans.PlanEntry;
import dev.spur.service.plans.PlanSummary;
import dev.spur.service.plans.PlannedPreparations;
import dev.spur.service.testing.TestCluster;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A cluster that two teams share, with one of everything for each: what is one's own, and what is the other's. */
final class TwoTenantCluster {
    static final String OWN = "own-team";
    static final String FOREIGN = "foreign-team";

    private final TestCluster world;
    private final Map<String, Map<String, String>> ids = new LinkedHashMap<>();

    TwoTenantCluster(TestCluster world) {
        this.world = world;
        for (String side : List.of("own", "foreign")) {
            ids.put(side, new LinkedHashMap<>());
            furnish(side);
        }
        world.sql("""
                insert into maintenance_window (name, nodes, starts_at, ends_at, lead_seconds)
                values ('works', '{old-node}', now(), now() + interval '1 h', 0)
                """);
        world.proposal();
        publish();
    }

    /** Id of what {@code side}, own or foreign, has in a collection; what belongs to nobody has one id for both. */
    String id(String side, String collection) {
        return switch (collection) {
            case "accelerator-types" -> "A100";
            case "pools" -> "main";
            case "maintenance-windows" -> "works";
            case "plans", "rounds", "proposals" -> "1";
            default -> ids.get(side).get(collection);
        };
    }

    /** What must never be seen by the own team: all ids and names of the other. */
    List<String> secrets() {
        return List.copyOf(ids.get("foreign").values());
    }

    /** Lets the executors of both nodes register, if they are not: one operation deletes them. */
    void enrol() {
        for (String side : ids.keySet()) {
            world.sql("""
                    insert into executor
                        (id, instance, registration_epoch, state, address, devices, registered_at, seen_at, lease_expires_at, reclaim_at)
                    values (?, '', 1, 'ALIVE', '', '{}', now(), now(), now() + interval '1 h', now() + interval '1 h')
                    on conflict do nothing
                    """, id(side, "executors"));
        }
    }

    private void furnish(String side) {
        Map<String, String> own = ids.get(side);
        own.put("tenants", side + "-team");
        own.put("nodes", side + "-node");
        own.put("groups", side + "-group");
        own.put("reservations", side + "-reservation");
        own.put("executors", side + "-node");
        own.put("connectors", side + "-connector");
        world.sql(
                "insert into connector (name, kind, control_level) values (?, 'SLURM', 'OBSERVE')",
                side + "-connector");
        own.put("tokens", (side.equals("own") ? "3" : "4") + "1111111-1111-4111-8111-111111111111");
        world.sql("insert into tenant (name, parent, weight, quotas) values (?, 'root', 1, '{}')", side + "-team");
        world.node(side + "-node", 8);
        world.sql("insert into job_group (name, tenant) values (?, ?)", side + "-group", side + "-team");
        world.sql(
                "insert into reservation (name, nodes, tenant, starts_at, ends_at) values (?, ?, ?, now(), now() + interval '1 h')",
                side + "-reservation",
                new String[] {side + "-node"},
                side + "-team");
        world.sql("""
                insert into access_token (id, name, hash, role, created_by) values (?, ?, ?, 'VIEWER', 'a test')
                """, own.get("tokens"), side + "-token", side);
        own.put("webhooks", (side.equals("own") ? "7" : "8") + "1111111-1111-4111-8111-111111111111");
        own.put("deliveries", (side.equals("own") ? "9" : "a") + "1111111-1111-4111-8111-111111111111");
        world.sql("""
                insert into webhook
                    (id, url, kinds, tenants, secret, enabled, created_by, position_transaction, position_number)
                values (?, 'https://hooks.example.org', '{}', ?, 'whsec_AAAA', false, 'ann', '0', 0)
                """, own.get("webhooks"), new String[] {side + "-team"});
        world.sql("""
                insert into webhook_delivery (id, webhook_id, kind, body, state, ended_at) values (?, ?, 'DONE', '{}', 'DEAD', now())
                """, own.get("deliveries"), own.get("webhooks"));
        own.put("arrays", (side.equals("own") ? "b" : "c") + "1111111-1111-4111-8111-111111111111");
        world.sql("""
                insert into job_array (id, tenant, owner, name, indices, size) values (?, ?, 'ann', 'sweep', '0-1', 2)
                """, own.get("arrays"), side + "-team");
        own.put("jobs", runningJob(side));
        own.put("preparations", runningPreparation(side));
    }

    private String runningJob(String side) {
        String job = world.job(2);
        String allocation = RoundJson.mapper().writeValueAsString(allocation(side));
        world.sql(
                "update job set tenant = ?, state = 'RUNNING', generation = 1, allocation = cast(? as jsonb) where id = ?",
                side + "-team",
                allocation,
                job);
        world.sql("""
                insert into job_allocation (job_id, generation, plan_revision, change, allocation, started_at)
                values (?, 1, 1, 'START', cast(? as jsonb), now())
                """, job, allocation);
        return job;
    }

    private String runningPreparation(String side) {
        String id = (side.equals("own") ? "5" : "6") + "1111111-1111-4111-8111-111111111111";
        world.sql(
                """
                insert into job (id, kind, tenant, owner, name, labels, spec, deadline_status, wait_for_hardware, state, total_work,
                                 generation, resource_grant)
                values (?, 'DATA_PREPARATION', ?, 'ann', 'data', '{}', cast(? as jsonb), 'NONE', false, 'RUNNING', 600, 1, cast(? as jsonb))
                """,
                id,
                side + "-team",
                RoundJson.mapper()
                        .writeValueAsString(new PreparationSpec(
                                List.of(),
                                4,
                                16,
                                new SlowdownCurve(List.of(new SlowdownCurve.Point(1, 1)), 8),
                                1,
                                600,
                                1,
                                0)),
                RoundJson.mapper().writeValueAsString(grant(side)));
        return id;
    }

    private static PreparationAllocation grant(String side) {
        return new PreparationAllocation(side + "-node", 4, 16, List.of(), 1);
    }

    private PlannedPreparations prepared() {
        return new PlannedPreparations(
                ids.keySet().stream()
                        .map(side -> new PlannedPreparations.Entry(
                                id(side, "preparations"), 1, grant(side), 1, 1, "It was next."))
                        .toList(),
                List.of(),
                SolutionQuality.of(SolveStatus.WORK_LIMIT, 1, 2, 0));
    }

    private static Allocation allocation(String side) {
        return new Allocation(
                new Configuration("main", "A100", List.of(2), SyncStrategy.ALL_REDUCE, 0, 64, 0),
                List.of(new NodeShare(side + "-node", List.of("d0", "d1"))),
                List.of(),
                1);
    }

    private void publish() {
        List<PlanEntry> running = ids.keySet().stream()
                .map(side -> new PlanEntry(
                        id(side, "jobs"), 1, 0, allocation(side), ChangeKind.START, 100, 1, 30, "It was next."))
                .toList();
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        PlanDocument plan = new PlanDocument(
                1,
                1,
                now,
                now,
                running,
                List.of(),
                Map.of(),
                SolutionQuality.of(SolveStatus.WORK_LIMIT, 1, 2, 0),
                List.of(),
                List.of(
                        new AggregationRemedy(id("own", "jobs"), Kind.NONE),
                        new AggregationRemedy(id("foreign", "jobs"), Kind.NONE)),
                prepared());
        world.sql("""
                insert into round (number, lease_term, trigger, started_at, finished_at, status, plan_revision, dropped, snapshot)
                values (1, 1, 'a test', now(), now(), 'PUBLISHED', 1, cast(? as jsonb), cast(? as bytea))
                """, """
                [{"jobId": "%s", "why": "it ended"}]""".formatted(id("foreign", "jobs")), null);
        world.sql(
                """
                insert into plan (revision, round_number, lease_term, published_at, explained_at, node_revisions, summary, body)
                values (1, 1, 1, cast(? as timestamptz), cast(? as timestamptz), '{"own-node": 1, "foreign-node": 1}', cast(? as jsonb), ?)
                """,
                now.toString(),
                now.toString(),
                RoundJson.mapper().writeValueAsString(PlanSummary.of(plan)),
                plan.json());
        world.value(Boolean.class, "select pg_notify('" + NotificationChannel.PLAN + "', '1') is null");
    }
}
