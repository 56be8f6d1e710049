package dev.spur.service.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.rounds.TestRounds;
import dev.spur.service.web.contract.ContractedClient.Answer;
import dev.spur.service.web.contract.ProblemType;
import dev.spur.solver.policy.Policies;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Plans that wait for an operator. Rounds are run one at a time. */
class ProposalTest extends ApiTest {
    private static final String API = "/api/v1/";
    private static final String PATH = API + "proposals";

    @Autowired
    private TestRounds rounds;

    @BeforeEach
    void askForApproval() {
        cluster(8, 8);
        policy.use(Policies.spur()::plan);
        rounds.begin();
        approval(true);
    }

    private void approval(boolean desired) {
        world.sql("delete from settings");
        api.put(API + "settings", "{\"approval\": %s}".formatted(desired), "If-Match", "*")
                .is(200);
    }

    private String nodeOf(String job) {
        return world.value(
                String.class, "select coalesce(allocation #>> '{placement,0,node}', '-') from job where id = ?", job);
    }

    private String status(long number) {
        return api.get(PATH + "/" + number).is(200).at("/status");
    }

    private long open() {
        return api.get(PATH + "?status=OPEN")
                .is(200)
                .json()
                .at("/items/0/number")
                .asLong();
    }

    private Answer approve(long number) {
        return api.post(PATH + "/" + number + "/approve", "{\"note\": \"go on\"}");
    }

    /** A job that runs by an approved plan, for long enough that it may be touched. */
    private String running() {
        String job = world.job(8);
        rounds.run();
        approve(open()).is(202);
        rounds.run();
        assertThat(nodeOf(job)).isNotEqualTo("-");
        world.sql("update job set allocated_since = now() - interval '1 h', "
                + "allocation = jsonb_set(allocation, '{since}', to_jsonb(extract(epoch from now()) - 3600))");
        return job;
    }

    @Nested
    class APlan {
        @Test
        void waitsUntilItIsApproved() throws InterruptedException {
            String job = world.job(8);
            rounds.run();
            awaitFeed();
            assertThat(nodeOf(job)).isEqualTo("-");
            assertThat(api.get(API + "jobs/" + job).is(200).at("/waiting/reason"))
                    .isEqualTo("AWAITING_APPROVAL");

            long number = open();
            Answer proposal = api.get(PATH + "/" + number).is(200);
            assertThat(proposal.at("/changes/0/jobId")).isEqualTo(job);
            assertThat(proposal.at("/changes/0/change")).isEqualTo("START");
            assertThat(proposal.json().path("objectiveDelta").asDouble()).isPositive();
            api.get(PATH + "/" + number, "If-None-Match", proposal.etag()).is(304);

            assertThat(approve(number).is(202).at("/status")).isEqualTo("APPROVED");
            assertThat(nodeOf(job)).as("not before a round").isEqualTo("-");
            Long revision = rounds.run().outcome().planRevision();

            assertThat(nodeOf(job)).isNotEqualTo("-");
            Answer published = api.get(PATH + "/" + number, "If-None-Match", proposal.etag())
                    .is(200);
            assertThat(published.at("/status")).isEqualTo("PUBLISHED");
            assertThat(published.json().path("planRevision").asLong()).isEqualTo(revision);
            assertThat(published.at("/note")).isEqualTo("go on");
            assertThat(world.value(
                            String.class, "select principal from audit_entry where operation = 'approveProposal'"))
                    .isEqualTo(published.at("/decidedBy"));
        }

        @Test
        void isReportedByJobsWhereAnEarlierPlanHadItsNumber() throws InterruptedException {
            for (int time = 1; time <= 2; time++) {
                String job = world.job(8);
                assertThat(rounds.run().outcome().planRevision()).isEqualTo(1);
                awaitFeed();

                assertThat(api.get(API + "jobs/" + job).is(200).at("/waiting/reason"))
                        .isEqualTo("AWAITING_APPROVAL");
                world.reset();
                beginEmpty();
                askForApproval();
            }
        }

        @Test
        void isProposedOnceAsLongAsRoundsComeToTheSame() {
            world.job(8);
            rounds.run();
            long number = open();
            rounds.run();

            assertThat(open()).isEqualTo(number);
            assertThat(count("proposal")).isEqualTo(1);
        }

        @Test
        void givesWayToANewerOneAndLeadsToIt() {
            world.job(8);
            rounds.run();
            long first = open();
            world.job(8);
            rounds.run();
            long second = open();

            assertThat(second).isGreaterThan(first);
            assertThat(status(first)).isEqualTo("SUPERSEDED");
            assertThat(approve(first).is(ProblemType.CONFLICT).at("/location")).isEqualTo(PATH + "/" + second);
            approve(second).is(202);
            assertThat(approve(second).is(ProblemType.CONFLICT).at("/location")).isEqualTo(PATH + "/" + second);
            approve(99).is(404);
        }

        @Test
        void isNotBroughtUpAgainOnceItIsRejected() {
            String job = world.job(8);
            rounds.run();
            long number = open();
            api.post(PATH + "/" + number + "/reject", "{}").is(200);
            rounds.run();

            assertThat(status(number)).isEqualTo("REJECTED");
            assertThat(count("proposal")).isEqualTo(1);
            world.job(8);
            rounds.run();
            assertThat(open()).as("another plan").isGreaterThan(number);
            assertThat(nodeOf(job)).isEqualTo("-");
        }

        @Test
        void isRefusedWithReasonsWhenTheStateHasMovedOn() {
            String job = world.job(8);
            rounds.run();
            long number = open();
            approve(number).is(202);
            String node = api.get(PATH + "/" + number).is(200).at("/changes/0/after/placement/0/node");
            api.post(API + "nodes/" + node + "/drain").is(200);
            rounds.run();

            assertThat(nodeOf(job)).isEqualTo("-");
            Answer refused = api.get(PATH + "/" + number).is(200);
            assertThat(refused.at("/status")).isEqualTo("REFUSED");
            assertThat(refused.at("/reasons/0")).contains("may not run on node " + node);
            assertThat(open()).as("what the round would do now").isGreaterThan(number);
        }

        @Test
        void thatWasApprovedIsPublishedByTheNextLeader() {
            String job = world.job(8);
            rounds.run();
            long number = open();
            approve(number).is(202);
            world.sql(
                    "update planner_lease set holder = 'gone', lease_term = lease_term + 1, expires_at = clock_timestamp()");
            rounds.begin();
            rounds.run();

            assertThat(nodeOf(job)).isNotEqualTo("-");
            assertThat(status(number)).isEqualTo("PUBLISHED");
        }

        @Test
        void isPublishedOnceApprovalIsNotRequiredAnyMore() {
            String job = world.job(8);
            rounds.run();
            long number = open();
            approval(false);
            rounds.run();

            assertThat(nodeOf(job)).isNotEqualTo("-");
            assertThat(status(number)).isEqualTo("SUPERSEDED");
        }
    }

    @Nested
    class WhatDoesNotWait {
        @Test
        void isThatJobsStopWhoseNodeIsLost() {
            String job = running();
            api.post(API + "nodes/" + nodeOf(job) + "/mark-lost").is(200);
            rounds.run();

            assertThat(nodeOf(job)).isEqualTo("-");
            assertThat(world.state(job)).isEqualTo("WAITING");
            approve(open()).is(202);
            rounds.run();
            assertThat(nodeOf(job)).isNotEqualTo("-");
        }

        @Test
        void isThatHeldJobsStop() {
            String job = running();
            api.post(API + "jobs/" + job + "/hold").is(200);
            rounds.run();

            assertThat(nodeOf(job)).isEqualTo("-");
        }

        @Test
        void isThatNodesAreEmptyWhenTheirMaintenanceBegins() {
            String job = running();
            world.sql("""
                    insert into maintenance_window (name, nodes, starts_at, ends_at, lead_seconds)
                    values ('m', array[?], now(), now() + interval '1 h', 0)
                    """, nodeOf(job));
            rounds.run();

            assertThat(nodeOf(job)).isEqualTo("-");
        }

        @Test
        void isNotThatJobsLeaveANodeThatDrains() {
            String job = running();
            String node = nodeOf(job);
            api.post(API + "nodes/" + node + "/drain").is(200);
            rounds.run();
            assertThat(nodeOf(job)).isEqualTo(node);

            long number = open();
            assertThat(api.get(PATH + "/" + number).is(200).at("/changes/0/change"))
                    .isEqualTo("MOVE");
            approve(number).is(202);
            rounds.run();

            assertThat(nodeOf(job)).isNotEqualTo(node).isNotEqualTo("-");
        }
    }
}
