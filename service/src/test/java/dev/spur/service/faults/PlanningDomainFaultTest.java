package dev.spur.service.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.postgres.TestDatabase;
import dev.spur.service.testing.TestCluster;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two replicas on one database that share two planning domains, and faults of one of them. */
@Tag("fault")
class PlanningDomainFaultTest {
    private static TestDatabase database;
    private static final String HOLDERS =
            "select count(distinct holder) from planner_lease where name <> 'planner' and expires_at > clock_timestamp()";
    private static Replica one;
    private static Replica two;

    @BeforeAll
    static void startTwo() throws Exception {
        database = TestDatabase.migrated();
        one = Replica.start(database);
        two = Replica.start(database);
        TestCluster world = one.world();
        world.reset();
        world.node("m1", 64);
        world.sql("insert into pool (name, whole_nodes) values ('west', false)");
        world.node("w1", 64);
        world.sql("update node set pool = 'west' where id = 'w1'");
        one.api.put("/api/v1/planning-domains/west", "{\"pools\": [\"west\"]}").is(201);
    }

    @AfterAll
    static void stopBoth() throws Exception {
        one.close();
        two.close();
        database.close();
    }

    private static long number(String query) {
        return two.world().value(Long.class, query);
    }

    private static void awaitShares() throws Exception {
        Faults.await("a domain for each", () -> number(HOLDERS) == 2);
    }

    private static void allIsAsItShouldBe() {
        assertThat(number("""
                        with held as (
                            select id, piece ->> 'node' as node, device from job, jsonb_array_elements(allocation -> 'placement') piece,
                                jsonb_array_elements_text(piece -> 'devices') device)
                        select count(*) from held a join held b on a.node = b.node and a.device = b.device and a.id < b.id
                        """)).as("devices of two jobs").isZero();
        assertThat(number("""
                        select count(*) from (
                            select revision from plan, jsonb_array_elements(body::jsonb -> 'running' || (body::jsonb -> 'waiting')) entry
                            group by revision, entry ->> 'jobId' having count(*) > 1) twice
                        """)).as("jobs that are in a plan twice").isZero();
        assertThat(number("""
                        select count(*) from job j join pool p on p.name = j.allocation #>> '{configuration,pool}'
                        where j.domain <> coalesce(p.domain, 'default')
                        """)).as("jobs on nodes of another domain").isZero();
    }

    private static void submitAndAwait(int jobs) throws Exception {
        long all = number("select count(*) from job") + jobs;
        for (int i = 0; i < jobs; i++) {
            two.world().job(1);
        }
        Faults.await("all to run", () -> {
            two.api.post("/api/v1/rounds?domain=west", "");
            two.api.post("/api/v1/rounds?domain=default", "");
            return two.world().value(Long.class, "select count(*) from job where state = 'RUNNING'") == all;
        });
    }

    @Test
    void eachPlansOneAndTakesOverThatOfOneThatIsCutOff() throws Exception {
        awaitShares();
        submitAndAwait(4);
        assertThat(number("select count(distinct domain) from round where status = 'PUBLISHED' and domain is not null"))
                .isEqualTo(2);
        assertThat(number("select count(distinct holder) from planner_lease where name <> 'planner'"))
                .isEqualTo(2);

        CountDownLatch dead = new CountDownLatch(1);
        CountDownLatch back = new CountDownLatch(1);
        one.faults().at("publish", () -> {
            one.wire.cut();
            dead.countDown();
            Faults.awaitStubbornly(back);
        });
        Faults.await("the fault", () -> {
            two.api.post("/api/v1/rounds?domain=west", "");
            two.api.post("/api/v1/rounds?domain=default", "");
            return dead.getCount() == 0;
        });
        long cut = System.nanoTime();
        Faults.await(
                "the other one to plan both",
                () -> two.api.get("/metrics").text().contains("spur_planner 2.0"));
        Faults.tell("a planner of one of two domains is cut off", cut);
        submitAndAwait(2);

        // two leaders of one domain for a moment: the old one goes on where it was
        one.wire.mend();
        back.countDown();
        Faults.await("the end of its round", () -> one.faults().idle());
        awaitShares();
        submitAndAwait(2);
        allIsAsItShouldBe();
        assertThat(number("select count(*) from job where generation <> 1")).isZero();
    }
}
