package dev.spur.service.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.spur.model.job.Elasticity;
import dev.spur.model.job.JobSpec;
import dev.spur.service.lease.Lease;
import dev.spur.service.lease.LeaseStore;
import dev.spur.service.plan.PlanDocument;
import dev.spur.service.plan.PlanEntry;
import dev.spur.service.plan.PlanStore;
import dev.spur.service.plan.PlannedDomain;
import dev.spur.service.round.RoundObserver.RoundReport;
import dev.spur.service.round.history.DroppedEntry;
import dev.spur.service.round.history.RoundStatus;
import dev.spur.service.testing.Client;
import dev.spur.service.testing.FaultPoints;
import dev.spur.service.testing.ServiceTest;
import dev.spur.service.testing.TestCluster;
import dev.spur.solver.policy.Policies;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Pools main, of the default domain, and west, of a domain of its own, with a node of four devices each. */
class PlanningDomainsTest extends ServiceTest {
    private static final String DOMAINS = "/api/v1/planning-domains/";

    @Autowired
    private RoundRunner runner;

    @Autowired
    private LeaseStore leases;

    @Autowired
    private PlanStore plans;

    @Autowired
    private FaultPoints faults;

    private Client client;
    private Lease main;
    private Lease west;

    @BeforeEach
    void divide() throws Exception {
        client = client();
        world.node("m1", 4);
        world.sql("insert into pool (name, whole_nodes) values ('west', false), ('spare', false)");
        world.node("w1", 4);
        world.sql("update node set pool = 'west' where id = 'w1'");
        divide("west", "west");
        main = take("default");
        west = take("west");
    }

    private Lease take(String domain) {
        String holder = "planner of " + domain;
        return new Lease(holder, leases.take(domain, holder, 600).orElseThrow(), domain);
    }

    private RoundReport round(Lease lease) {
        RoundReport report = runner.run(lease, "test");
        assertThat(report.outcome().status())
                .as(report.outcome().error())
                .isIn(RoundStatus.PUBLISHED, RoundStatus.UNCHANGED);
        return report;
    }

    private PlanDocument current() {
        return PlanDocument.of(plans.current().orElseThrow());
    }

    private static JobSpec in(String pool, int slots, int priority) {
        return TestCluster.spec(slots)
                .edit()
                .elasticity(new Elasticity(List.of(), List.of(pool), slots, slots, false, List.of(), null, false))
                .importance(1, priority)
                .build();
    }

    private String domain(String job) {
        return world.value(String.class, "select coalesce(domain, '') from job where id = ?", job);
    }

    private String node(String job) {
        return world.value(String.class, "select allocation #>> '{placement,0,node}' from job where id = ?", job);
    }

    /** Has something happen when the next round has planned and not published. */
    private void whilePlanning(Runnable event) {
        faults.at("validate", event);
    }

    private void divide(String domain, String pool) {
        try {
            assertThat(client.put(DOMAINS + domain, "{\"pools\": [\"%s\"]}".formatted(pool))
                            .statusCode())
                    .isEqualTo(201);
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    @Nested
    class OnePlanIsMadeOfTheirParts {
        @Test
        void eachDomainPlansItsOwnNodesAndLeavesTheOthersAlone() {
            String here = world.job(in("main", 2, 0));
            String there = world.job(in("west", 2, 0));
            long first = round(main).outcome().planRevision();
            assertThat(current().running()).extracting(PlanEntry::jobId).containsExactly(here);

            RoundReport second = round(west);

            assertThat(second.outcome().planRevision()).isGreaterThan(first);
            assertThat(current().running()).extracting(PlanEntry::jobId).containsExactlyInAnyOrder(here, there);
            assertThat(current().domains())
                    .extracting(PlannedDomain::name, PlannedDomain::round)
                    .containsExactly(tuple("default", second.number() - 1), tuple("west", second.number()));
            assertThat(plans.current().orElseThrow().nodeRevisions()).containsEntry("m1", first);
            assertThat(world.generation(here)).isEqualTo(1);
        }

        @Test
        void theirWorthsAndBoundsAddUp() {
            world.job(in("main", 2, 0));
            world.job(in("west", 2, 0));
            policy.use(Policies.spur()::plan);
            round(main);
            round(west);

            assertThat(current().quality().objectiveValue())
                    .isPositive()
                    .isEqualTo(current().domains().stream()
                            .mapToDouble(part -> part.quality().objectiveValue())
                            .sum());
        }

        @Test
        void jobsOfOthersThatWaitStayInIt() {
            String waits = world.job(in("west", 99, 0));
            round(west);
            world.job(in("main", 1, 0));
            round(main);

            assertThat(current().pending(waits)).isPresent();
            assertThat(world.state(waits)).isEqualTo("WAITING");
        }

        @Test
        void aJobThatHasEndedLeavesItWithTheNextRoundOfItsDomain() {
            String ended = world.job(in("west", 1, 0));
            round(main);
            round(west);
            world.sql("update job set state = 'DONE', allocation = null where id = ?", ended);
            world.job(in("main", 1, 0));
            round(main);
            assertThat(current().entry(ended)).isPresent();
            round(west);

            assertThat(current().entry(ended)).isEmpty();
        }

        @Test
        void theContractKnowsIt() throws Exception {
            world.job(in("main", 1, 0));
            round(main);
            round(west);
            awaitFeed();

            assertThat(Client.json(client.get("/api/v1/plans/current"))
                            .at("/domains/1/name")
                            .stringValue())
                    .isEqualTo("west");
            assertThat(Client.json(client.get("/api/v1/rounds?limit=1"))
                            .at("/items/0/domain")
                            .stringValue())
                    .isEqualTo("west");
        }
    }

    @Nested
    class AJobIsInOneDomain {
        @Test
        void newJobsGoWhereThereIsRoom() {
            String first = world.job(4);
            String second = world.job(4);
            round(main);
            round(west);

            assertThat(List.of(node(first), node(second))).containsExactlyInAnyOrder("m1", "w1");
            assertThat(List.of(domain(first), domain(second))).containsExactlyInAnyOrder("default", "west");
        }

        @Test
        void aJobThatWaitsMovesToADomainThatCanRunIt() {
            String stays = world.job(in("main", 4, 0));
            String waits = world.job(4);
            world.sql("update job set domain = 'default' where id = ?", waits);
            round(main);
            assertThat(domain(stays)).isEqualTo("default");
            assertThat(domain(waits)).isEqualTo("west");
            round(west);

            assertThat(node(waits)).isEqualTo("w1");
            assertThat(current().pending(waits)).isEmpty();
        }

        @Test
        void aStartOfAJobThatHasMovedMeanwhileIsDropped() {
            String moves = world.job(4);
            whilePlanning(() -> {
                world.sql("update job set domain = 'west' where id = ?", moves);
                world.sql("update node set state = 'CORDONED' where id = 'm1'");
                round(west);
                world.sql("update node set state = 'ACTIVE' where id = 'm1'");
            });
            RoundReport late = round(main);

            assertThat(late.outcome().dropped()).extracting(DroppedEntry::jobId).containsExactly(moves);
            assertThat(node(moves)).isEqualTo("w1");
            assertThat(world.generation(moves)).isEqualTo(1);
            assertThat(current().running()).extracting(PlanEntry::jobId).containsExactly(moves);
            assertThat(current().pending(moves)).isEmpty();
        }

        @Test
        void aStartIsDroppedAlsoIfTheOtherDomainHasNotPlannedYet() {
            String moves = world.job(4);
            whilePlanning(() -> world.sql("update job set domain = 'west' where id = ?", moves));
            RoundReport late = round(main);

            assertThat(late.outcome().dropped())
                    .containsExactly(new DroppedEntry(moves, "another planning domain plans it"));
            assertThat(world.generation(moves)).isZero();
        }
    }

    @Nested
    class QuotasBindOverAllDomains {
        @BeforeEach
        void planByQuotas() {
            policy.use(Policies.spur()::plan);
            world.sql(
                    "insert into tenant (name, parent, weight, quotas) values ('team', 'root', 1, cast(? as jsonb))",
                    """
                    {"A100": {"nominal": 4, "borrowingLimit": 0, "lendingLimit": null}}
                    """);
        }

        private String job(String pool, int slots, int priority) {
            String job = world.job(in(pool, slots, priority));
            world.sql("update job set tenant = 'team' where id = ?", job);
            return job;
        }

        private long held() {
            return world.value(Long.class, """
                    select coalesce(sum((allocation #>> '{configuration,slots}')::int), 0) from job where tenant = 'team'
                    """);
        }

        @Test
        void whatOneDomainHasTakenAnotherOneDoesNotGet() {
            job("main", 3, 0);
            job("west", 2, 0);
            round(main);
            round(west);
            assertThat(held()).isEqualTo(3);
            round(main);
            round(west);

            assertThat(held()).isEqualTo(3);
        }

        @Test
        void aJobThatNeedsAllOfItGetsAllOfIt() {
            String first = job("main", 4, 0);
            String second = job("west", 4, 0);
            round(west);
            assertThat(world.generation(second)).isZero();
            round(main);

            assertThat(node(first)).isEqualTo("m1");
            assertThat(held()).isEqualTo(4);
        }

        @Test
        void twoThatPlanAtTheSameTimeDoNotExceedIt() {
            String first = job("main", 4, 0);
            whilePlanning(() -> {
                String urgent = job("west", 4, 5);
                round(west);
                assertThat(node(urgent)).isEqualTo("w1");
            });
            RoundReport late = round(main);

            assertThat(late.outcome().dropped())
                    .containsExactly(
                            new DroppedEntry(first, "another planning domain has exhausted the quota of tenant team"));
            assertThat(held()).isEqualTo(4);
        }

        private String grouped(String pool, int priority) {
            String job = world.job(in(pool, 1, priority));
            world.sql("update job set spec = jsonb_set(spec, '{group}', '\"sweep\"') where id = ?", job);
            return job;
        }

        @Test
        void soDoCapsOfGroups() {
            world.sql("insert into job_group (name, tenant, max_jobs) values ('sweep', 'root', 1)");
            String first = grouped("main", 0);
            whilePlanning(() -> {
                grouped("west", 5);
                round(west);
            });
            RoundReport late = round(main);

            assertThat(late.outcome().dropped())
                    .containsExactly(
                            new DroppedEntry(first, "another planning domain has exhausted the cap of group sweep"));
            assertThat(world.value(Long.class, "select count(*) from job where allocation is not null"))
                    .isEqualTo(1);
        }
    }

    @Nested
    class ADomainHasOnePlanner {
        @Test
        void whoseLeaseWasTakenPublishesNothing() {
            String job = world.job(in("west", 1, 0));
            whilePlanning(() -> {
                world.sql("update planner_lease set expires_at = clock_timestamp() where name = 'planner/west'");
                Lease other =
                        new Lease("another", leases.take("west", "another", 600).orElseThrow(), "west");
                round(other);
            });
            RoundReport late = runner.run(west, "test");

            assertThat(late.outcome().status()).isEqualTo(RoundStatus.FENCED);
            assertThat(world.generation(job)).isEqualTo(1);
        }

        @Test
        void andWhoKnowsNoDomainsPlansNothing() {
            assertThat(leases.take("an older version", 8)).isEmpty();
        }

        @Test
        void aRoundThatSawAnotherDivisionPublishesNothing() {
            String job = world.job(in("main", 1, 0));
            whilePlanning(() -> divide("other", "spare"));
            RoundReport late = runner.run(main, "test");

            assertThat(late.outcome().status()).isEqualTo(RoundStatus.FENCED);
            assertThat(world.generation(job)).isZero();
            assertThat(leases.take("default", "next", 8)).isPresent();
        }

        @Test
        void aRoundOfEverythingPublishesNothingBesideDomains() throws Exception {
            client.delete(DOMAINS + "west");
            Lease all = new Lease("one", leases.take("one", 600).orElseThrow());
            String job = world.job(in("main", 1, 0));
            whilePlanning(() -> divide("west", "west"));
            RoundReport late = runner.run(all, "test");

            assertThat(late.outcome().status()).isEqualTo(RoundStatus.FENCED);
            assertThat(world.generation(job)).isZero();
        }

        @Test
        void aDomainThatComesBackHasAnEpochThatItNeverHad() throws Exception {
            client.delete(DOMAINS + "west");
            divide("west", "west");

            assertThat(take("west").term()).isGreaterThan(west.term());
        }
    }

    @Nested
    class Divisions {
        @Test
        void endWhenTheLastDomainGoes() throws Exception {
            String there = world.job(in("west", 2, 0));
            round(west);
            client.delete(DOMAINS + "west");
            assertThat(leases.take("default", "late", 8)).isEmpty();
            Lease all = new Lease("one", leases.take("one", 600).orElseThrow());
            String here = world.job(in("main", 2, 0));
            round(all);

            assertThat(current().running()).extracting(PlanEntry::jobId).containsExactlyInAnyOrder(here, there);
            assertThat(current().domains()).isNull();
            assertThat(world.generation(there)).isEqualTo(1);
            assertThat(domain(there)).isEmpty();
        }

        @Test
        void takeJobsAlongWithTheirPool() throws Exception {
            String job = world.job(in("main", 2, 0));
            round(main);
            client.put(DOMAINS + "east", "{\"pools\": [\"main\"]}");
            assertThat(domain(job)).isEqualTo("east");
            round(take("default"));
            assertThat(current().entry(job)).isPresent();
            round(take("east"));

            assertThat(world.generation(job)).isEqualTo(1);
            assertThat(current().running()).extracting(PlanEntry::jobId).containsExactly(job);
        }

        @Test
        void mayLoseTheirLastPool() throws Exception {
            divide("other", "spare");
            assertThat(client.delete("/api/v1/pools/spare").statusCode()).isEqualTo(204);
            assertThat(client.get(DOMAINS + "other").body()).contains("\"pools\":[]");
            String there = world.job(in("west", 1, 0));
            round(take("other"));
            round(take("west"));

            assertThat(current().running()).extracting(PlanEntry::jobId).containsExactly(there);
        }

        @Test
        void areRefusedWithEverythingThatIsWrong() throws Exception {
            String body = client.put(DOMAINS + "default", "{\"pools\": [\"west\", \"nowhere\"]}")
                    .body();

            assertThat(body)
                    .contains("is reserved for the domain of all other pools")
                    .contains("pool west belongs to domain west")
                    .contains("there is no pool nowhere");
        }

        @Test
        void andApprovalExcludeEachOther() throws Exception {
            var answer = client.get("/api/v1/settings");
            String settings = answer.body().replace("\"approval\":false", "\"approval\":true");
            var refused = client.put(
                    "/api/v1/settings",
                    settings,
                    "If-Match",
                    answer.headers().firstValue("ETag").orElseThrow());
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body()).contains("/approval");
        }

        @Test
        void answerWhichDomainARoundIsAskedFor() throws Exception {
            assertThat(client.post("/api/v1/rounds?domain=west", "").statusCode())
                    .isEqualTo(202);
            assertThat(client.post("/api/v1/rounds?domain=nowhere", "").statusCode())
                    .isEqualTo(422);
            RoundReport requested = round(west);

            assertThat(world.value(Long.class, "select count(*) from round where domain = 'west'"))
                    .isEqualTo(1);
            assertThat(requested.number()).isEqualTo(1);
        }
    }
}
