package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.spur.service.web.contract.ProblemType;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ShareAssignmentTest extends ExecutorsTest {
    @BeforeEach
    void shareDevices() {
        world.sql("update node set shares_devices = true");
    }

    private String submitShare(double share) {
        String job = submit(1);
        world.sql("""
                update job set spec = jsonb_set(spec, '{elasticity}', spec -> 'elasticity'
                    || jsonb_build_object('deviceShare', cast(? as double precision), 'maxSlots', 1)) where id = ?
                """, share, job);
        return job;
    }

    private String running(double share) {
        String job = submitShare(share);
        place(job, piece("n1", "d0"));
        run(job, one);
        return job;
    }

    private Set<String> blockers(String job) {
        return Set.copyOf(one.poll(job).path("waitFor").findValuesAsString("jobId"));
    }

    private void rejects(String job, String state) {
        assertThat(one.step(assignment(job), state).is(ProblemType.NOT_READY).at("/detail"))
                .contains("too much of them");
    }

    @Nested
    class JobsOnOneDevice {
        @Test
        void runAtTheSameTime() {
            String quarter = running(0.25);
            String rest = running(0.75);

            assertThat(one.poll(quarter).path("deviceShare").asDouble()).isEqualTo(0.25);
            assertThat(one.poll(rest).path("deviceShare").asDouble()).isEqualTo(0.75);
            assertThat(one.poll(rest).path("state").asString()).isEqualTo("RUNNING");
            assertThat(one.poll(quarter).path("desired").asString()).isEqualTo("RUN");
        }

        @Test
        void areConfirmedWhenTheirExecutorRegistersAgain() {
            String left = running(0.5);
            String right = running(0.5);

            assertThat(one.register(assignment(left) + " RUNNING", assignment(right) + " RUNNING")
                            .json()
                            .path("confirmed")
                            .size())
                    .isEqualTo(2);
        }

        @Test
        void holdOneSlotOfTheDevice() {
            running(0.5);
            running(0.5);

            long idle = api.get("/api/v1/idle-slots")
                    .is(200)
                    .json()
                    .path("items")
                    .valueStream()
                    .mapToLong(slots -> slots.path("slots").asLong())
                    .sum();

            assertThat(idle).isEqualTo(7);
        }

        @Test
        void receiveTheServiceOfTheirShare() {
            String job = running(0.5);

            place(job);

            double seconds = world.value(Double.class, "select run_seconds from job where id = ?", job);
            assertThat(seconds).isGreaterThan(80_000);
            assertThat(world.value(Double.class, "select attained_service from job where id = ?", job))
                    .isCloseTo(seconds / 2, within(1.0));
        }
    }

    @Test
    void theSpeedOfAShareIsNotThatOfTheFamily() {
        String share = submitShare(0.5);
        String whole = submit(1);
        world.sql("update job set spec = spec || '{\"family\": \"net\"}'");
        place(share, piece("n1", "d0"));
        place(whole, piece("n1", "d1"));
        run(share, one);
        run(whole, one);

        measured(share, 1, 640, 1).is(200);

        assertThat(learnedShapes(share)).isEqualTo("1 on 1");
        assertThat(families()).isZero();
        measured(whole, 1, 640, 1).is(200);
        assertThat(families()).isOne();
    }

    private long families() {
        return world.value(
                Long.class, "select count(*) from model_family where name = 'net' and speeds -> 'steps' <> '[]'");
    }

    @Nested
    class AJobWithAShare {
        @Test
        void startsNextToAJobThatStillStopsIfTheDeviceHasRoom() {
            running(0.5);
            String stopping = running(0.25);
            place(stopping);
            String next = submitShare(0.25);

            place(next, piece("n1", "d0"));

            assertThat(blockers(next)).isEmpty();
            run(next, one);
        }

        @Test
        void waitsWhileTheProcessesLeaveTooLittle() {
            String stays = running(0.5);
            String stopping = running(0.5);
            place(stopping);
            String next = submitShare(0.5);

            place(next, piece("n1", "d0"));

            assertThat(blockers(next)).containsExactlyInAnyOrder(stays, stopping);
            rejects(next, "ACCEPTED");
            one.release(stopping + ".1");
            assertThat(blockers(next)).isEmpty();
            run(next, one);
        }

        @Test
        void doesNotStartIfAnotherOneHasTakenTheRoomSinceItAccepted() {
            String stopping = running(0.5);
            place(stopping);
            String first = submitShare(0.5);
            String second = submitShare(0.5);
            place(first, piece("n1", "d0"));
            place(second, piece("n1", "d0"));
            one.step(assignment(first), "ACCEPTED").is(200);
            one.step(assignment(second), "ACCEPTED").is(200);

            one.step(assignment(first), "STARTING").is(200);

            rejects(second, "STARTING");
            one.release(stopping + ".1");
            one.step(assignment(second), "STARTING").is(200);
        }

        @Test
        void isNotLateWhileItWaitsForRoom() {
            String stopping = running(0.5);
            place(stopping);
            String first = submitShare(0.5);
            String second = submitShare(0.5);
            place(first, piece("n1", "d0"));
            place(second, piece("n1", "d0"));
            one.step(assignment(second), "ACCEPTED").is(200);
            steward.step();
            run(first, one);

            world.sql(
                    "update assignment set changed_at = now() - interval '1 hour', ready_at = now() - interval '1 hour'");
            steward.step();
            one.release(stopping + ".1");
            steward.step();

            assertThat(world.generation(second)).isEqualTo(1);
            one.step(assignment(second), "STARTING").is(200);
        }

        @Test
        void waitsForAWholeDevice() {
            String whole = submit(1);
            place(whole, piece("n1", "d0"));
            run(whole, one);
            place(whole);
            String share = submitShare(0.01);

            place(share, piece("n1", "d0"));

            assertThat(blockers(share)).containsExactly(whole);
        }
    }

    @Nested
    class AJobOnAWholeDevice {
        @Test
        void waitsUntilAllSharesAreFree() {
            String left = running(0.25);
            String right = running(0.25);
            place(left);
            place(right);
            String whole = submit(1);

            place(whole, piece("n1", "d0"));

            assertThat(blockers(whole)).containsExactlyInAnyOrder(left, right);
            one.release(left + ".1");
            assertThat(blockers(whole)).containsExactly(right);
            one.release(right + ".1");
            assertThat(blockers(whole)).isEmpty();
        }
    }

    @Test
    void anExecutorStatesWhetherItsNodeSharesDevices() {
        String registration =
                "{\"instance\": \"x\", \"acceleratorType\": \"A100\", \"devices\": [{\"uuid\": \"d0\"}]%s}";

        api.put("/api/v1/executors/n3", registration.formatted(", \"sharesDevices\": true"))
                .is(200);
        assertThat(api.get("/api/v1/nodes/n3").is(200).at("/sharesDevices")).isEqualTo("true");

        api.put("/api/v1/executors/n3", registration.formatted("")).is(200);
        assertThat(api.get("/api/v1/nodes/n3")
                        .is(200)
                        .json()
                        .path("sharesDevices")
                        .asBoolean(false))
                .isFalse();
    }
}
