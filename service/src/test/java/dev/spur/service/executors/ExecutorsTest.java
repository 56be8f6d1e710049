package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.allocation.AggregationShare;
import dev.spur.model.allocation.NodeShare;
import dev.spur.service.rounds.TestRounds;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.ContractedClient.Answer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** What tests of executors share: two nodes with executors that the test plays, and a plan that it makes. */
abstract class ExecutorsTest extends ServiceTest {
    static final String JOBS = "/api/v1/jobs/";

    @Autowired
    TestRounds rounds;

    @Autowired
    ExecutorSweeper steward;

    @LocalServerPort
    private int port;

    final FixedPolicy plan = new FixedPolicy();
    ContractedClient api;
    FakeExecutor one;
    FakeExecutor two;

    @BeforeEach
    void registerTwoExecutors() {
        rounds.begin();
        policy.use(plan);
        api = new ContractedClient(port);
        one = new FakeExecutor(api, "n1", 4);
        two = new FakeExecutor(api, "n2", 4);
        one.register().is(200);
        two.register().is(200);
    }

    static NodeShare piece(String node, String... devices) {
        return new NodeShare(node, List.of(devices));
    }

    /** Submits a job that a command starts and that may fail once. */
    String submit(int slots) {
        return world.jobWithCommand(slots);
    }

    /** Submits a job and has a round put it there. Returns its id. */
    String placed(NodeShare... pieces) {
        String job = submit(Arrays.stream(pieces).mapToInt(NodeShare::slots).sum());
        place(job, pieces);
        return job;
    }

    /** Has a round put a job there. What runs has run for a day, so that it may be touched. */
    void place(String job, NodeShare... pieces) {
        plan.put(job, pieces);
        world.sql("""
                update job set allocation = jsonb_set(allocation, '{since}', to_jsonb(extract(epoch from now()) - 86400))
                where allocation is not null
                """);
        rounds.run();
    }

    /** Id of the job's present assignment. */
    String assignment(String job) {
        return job + "." + world.generation(job);
    }

    /** Brings the job's present assignment to RUNNING. */
    void run(String job, FakeExecutor... executors) {
        String id = assignment(job);
        for (FakeExecutor executor : executors) {
            executor.step(id, "ACCEPTED").is(200);
        }
        for (FakeExecutor executor : executors) {
            executor.step(id, "STARTING").is(200);
            executor.step(id, "RUNNING").is(200);
        }
    }

    /** Reports the steps of generation 1 of a job on so many slots. */
    Answer measured(String job, int seq, int samples, int slots) {
        return api.post(JOBS + job + "/progress", """
                {"generation": 1, "seq": %d, "samplesTotal": %d, "state": "RUNNING",
                 "measured": {"stepSeconds": 0.64, "steps": 10, "slots": %d}}
                """.formatted(seq, samples, slots));
    }

    /** The slots and nodes whose speeds were measured. */
    String learnedShapes(String job) {
        return world.value(String.class, """
                select coalesce(string_agg((step #>> '{shape,slots}') || ' on ' || (step #>> '{shape,nodes}'), ', '), '')
                from job_learning, jsonb_array_elements(learned_speed -> 'steps') step where job_id = ?
                """, job);
    }

    /** The last event of a kind. */
    JsonNode event(String job, String kind) {
        Answer events = api.get(JOBS + job + "/events?limit=500").is(200);
        List<JsonNode> found = events.json()
                .path("items")
                .valueStream()
                .filter(event -> event.path("kind").asString().equals(kind))
                .toList();
        assertThat(found).as("events of kind %s in %s", kind, events.text()).isNotEmpty();
        return found.get(found.size() - 1).path("detail");
    }

    /** Lets the executor of a node be silent until the grace after its lease is over. */
    void silence(String node) {
        world.sql("update executor set lease_expires_at = now(), reclaim_at = now() where id = ?", node);
        steward.step();
    }

    String nodeState(String node) {
        return world.value(String.class, "select state from node where id = ?", node);
    }

    /** A job on one slot with parameter servers, which sends so many bytes in each step, of a second. Runs at once. */
    String served(NodeShare piece, Object gradientBytes, AggregationShare... shares) {
        String job = submit(1);
        world.sql("""
                update job set spec = jsonb_set(jsonb_set(spec, '{synchronization}',
                    cast(? as jsonb)), '{profile,points}', cast(? as jsonb)) where id = ?
                """, """
                {"allReduce": false, "parameterServer": true, "minAggregationSlots": 0.001, "maxAggregationSlots": 4,
                 "gradientBytes": %s}
                """.formatted(gradientBytes), """
                [{"acceleratorType": "A100", "slots": 1, "nodes": 1, "batchSize": 64, "strategy": "PARAMETER_SERVER",
                  "aggregationSlots": 1, "samplesPerSecond": 64}]
                """, job);
        plan.serve(job, shares);
        place(job, piece);
        return job;
    }

    static AggregationShare share(String node) {
        return new AggregationShare(node, 1);
    }

    /** The aggregators that an executor is to run. */
    JsonNode aggregators(FakeExecutor executor) {
        return api.get(executor.path() + "/assignments").is(200).json().path("aggregators");
    }
}
