package dev.spur.service.round;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.contract.ContractedClient;
import dev.spur.service.lease.Lease;
import dev.spur.service.lease.LeaseStore;
import dev.spur.service.round.RoundObserver.RoundReport;
import dev.spur.service.round.history.RoundStatus;
import dev.spur.service.testing.FaultPoints;
import dev.spur.service.testing.ServiceTest;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

/** Who plans: pools main, of the default domain, and west, of a domain of its own. */
class PlannersTest extends ServiceTest {
    @Autowired
    private RoundRunner runner;

    @Autowired
    private LeaseStore leases;

    @Autowired
    private FaultPoints faults;

    @Autowired
    private TransactionTemplate transaction;

    @LocalServerPort
    private int port;

    private ContractedClient api;

    @BeforeEach
    void divide() {
        api = new ContractedClient(port);
        world.node("m1", 4);
        world.sql("insert into pool (name, whole_nodes) values ('west', false)");
        api.put("/api/v1/planning-domains/west", "{\"pools\": [\"west\"]}").is(201);
    }

    private Lease take(String domain, String holder) {
        return new Lease(holder, leases.take(domain, holder, 600).orElseThrow(), domain);
    }

    private void end(String domain) {
        world.sql("update planner_lease set expires_at = clock_timestamp() where name = ?", "planner/" + domain);
    }

    private List<JsonNode> planners() {
        return api.get("/api/v1/planners")
                .is(200)
                .json()
                .path("items")
                .valueStream()
                .toList();
    }

    private static Instant since(JsonNode planner) {
        return Instant.parse(planner.path("since").asString());
    }

    @Test
    void areNamedWithTheirDomainsAsLongAsTheyHoldTheLease() {
        assertThat(planners()).isEmpty();
        take("west", "two");
        Lease lease = take("default", "one");

        assertThat(planners())
                .extracting(each -> each.path("domain").asString() + " "
                        + each.path("replica").asString())
                .containsExactly("default one", "west two");
        assertThat(planners().get(0).path("leaseTerm").asLong()).isEqualTo(lease.term());
        String next = api.get("/api/v1/planners?limit=1").at("/next");
        assertThat(api.get("/api/v1/planners?limit=1&cursor=" + next).at("/items/0/domain"))
                .isEqualTo("west");

        end("default");
        leases.removeCandidate(
                "west", "two", planners().get(0).path("leaseTerm").asLong());
        assertThat(planners()).isEmpty();
    }

    @Test
    void haveTheLeaseSinceTheyTookItHoweverOftenTheyKeepIt() {
        Lease lease = take("west", "one");
        Instant taken = since(planners().get(0));

        assertThat(leases.keep("west", "one", lease.term(), 600)).isTrue();
        assertThat(since(planners().get(0))).isEqualTo(taken);
        end("west");
        take("west", "one");

        assertThat(since(planners().get(0))).isAfter(taken);
    }

    @Test
    void isOneOfEverythingWhereNothingIsDivided() {
        api.delete("/api/v1/planning-domains/west").is(204);
        assertThat(planners()).isEmpty();
        leases.take("one", 600).orElseThrow();

        assertThat(planners()).singleElement().satisfies(planner -> {
            assertThat(planner.path("domain").isNull()).isTrue();
            assertThat(planner.path("replica").asString()).isEqualTo("one");
        });
    }

    @Test
    void publishNothingUnderAnEpochThatTheyHadBefore() {
        String job = world.job(1);
        Lease before = take("default", "one");
        faults.at("validate", () -> {
            end("default");
            take("default", "one");
        });

        assertThat(runner.run(before, "test").outcome().status()).isEqualTo(RoundStatus.FENCED);
        assertThat(world.generation(job)).isZero();
        assertThat(leases.keep("default", "one", before.term(), 600)).isFalse();
        leases.removeCandidate("default", "one", before.term());
        assertThat(planners()).hasSize(1);
    }

    @Test
    void publishOneAfterTheOther() {
        world.job(1);
        Lease main = take("default", "one");
        Lease west = take("west", "two");
        CountDownLatch planned = new CountDownLatch(1);
        CountDownLatch locked = new CountDownLatch(1);
        faults.at("publish", () -> {
            planned.countDown();
            awaitLatch(locked);
        });
        CompletableFuture<RoundReport> other = CompletableFuture.supplyAsync(() -> runner.run(main, "test"));
        awaitLatch(planned);

        transaction.executeWithoutResult(status -> {
            assertThat(leases.lock(new Lease("two", west.term(), "west"))).isTrue();
            locked.countDown();
            awaitBlocked(other);
            assertThat(other).isNotDone();
        });

        assertThat(other.orTimeout(60, TimeUnit.SECONDS).join().outcome().status())
                .isEqualTo(RoundStatus.PUBLISHED);
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }
}
