package dev.spur.service.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.rounds.TestRounds;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.contract.ContractedClient;
import dev.spur.service.web.contract.ContractedClient.Answer;
import dev.spur.solver.policy.Policies;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** A service with one connector, whose platform is for those who extend this to say. */
abstract class PlatformServiceTest extends ServiceTest {
    private static final ConnectorProperties OFTEN =
            new ConnectorProperties(Duration.ofMillis(200), Duration.ofMinutes(2), 4);

    @Autowired
    protected TestRounds rounds;

    @Autowired
    private ConnectorSync run;

    @Autowired
    private ConnectorStore connectors;

    @Autowired
    private ConnectorActionStore actions;

    @Autowired
    private PlatformAggregatorStore aggregators;

    @LocalServerPort
    private int port;

    protected ContractedClient api;
    private String connector;
    private ConnectorLoop loop;

    /** The platform, from settings as they are made when the program starts. */
    abstract PlatformConnection connection();

    /** Lets a moment pass on the platform, if it does not do so by itself. */
    abstract void pass();

    @BeforeEach
    void beginWithAConnector() {
        api = new ContractedClient(port);
        rounds.begin();
        var spur = Policies.spur();
        policy.use(problem -> spur.decide(problem).plan());
        start();
    }

    @AfterEach
    void stop() {
        loop.stop();
    }

    /** Starts a process that runs the connector. */
    protected void start() {
        PlatformConnection connection = connection();
        connector = connection.name();
        loop = new ConnectorLoop(connection, run, connectors, actions, aggregators, OFTEN);
        loop.start();
    }

    protected long count(String table) {
        return world.value(Long.class, "select count(*) from " + table);
    }

    protected void controlLevel(String level) {
        String path = "/api/v1/connectors/" + connector;
        Answer now = api.get(path).is(200);
        api.patch(path, "{\"controlLevel\": \"%s\"}".formatted(level), "If-Match", now.etag())
                .is(200);
    }

    protected JsonNode connector() {
        return api.get("/api/v1/connectors/" + connector).is(200).json();
    }

    protected JsonNode jobs() {
        return api.get("/api/v1/jobs?limit=500").is(200).json().path("items");
    }

    protected String state(String platformId) {
        return world.value(String.class, "select state from job where external_id = ?", connector + "/" + platformId);
    }

    interface Question {
        boolean holds() throws Exception;
    }

    protected void eventually(Question question) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!question.holds()) {
            assertThat(System.nanoTime())
                    .as("it has not come about; the connector says %s", connector())
                    .isLessThan(end);
            pass();
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }
}
