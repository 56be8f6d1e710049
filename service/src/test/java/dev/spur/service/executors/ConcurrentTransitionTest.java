package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.web.contract.ProblemType;
import org.junit.jupiter.api.Test;

/** Steps that come while somebody else changes what they are about: they are held against what is true afterwards. */
class ConcurrentTransitionTest extends ExecutorsTest {
    @Test
    void aTransitionUnderTheOldEpochIsRejected() {
        String job = placed(piece("n1", "d0"));

        beside(
                        "update executor set registration_epoch = registration_epoch + 1 where id = ?",
                        "n1",
                        () -> one.step(assignment(job), "ACCEPTED"))
                .is(ProblemType.STALE_REGISTRATION);
    }

    @Test
    void norAreItsHeartbeats() {
        beside("update executor set registration_epoch = registration_epoch + 1 where id = ?", "n1", () -> one.status())
                .is(ProblemType.STALE_REGISTRATION);
    }

    @Test
    void aJobThatHasLostItsAllocationIsNotStarted() {
        String job = placed(piece("n1", "d0"));
        String id = assignment(job);

        beside("update job set allocation = null where id = ?", job, () -> one.step(id, "STARTING"))
                .is(ProblemType.STALE_GENERATION);
    }

    @Test
    void anAssignmentThatHasEndedIsNotStarted() {
        String job = placed(piece("n1", "d0"));
        String id = assignment(job);

        beside("update assignment set state = 'STOPPED' where job_id = ?", job, () -> one.step(id, "STARTING"))
                .is(ProblemType.CONFLICT);
    }

    @Test
    void theLastMemberOfAGangToAcceptMayStart() {
        String job = placed(piece("n1", "d0"), piece("n2", "d0"));
        String id = assignment(job);
        String change = """
                with locked as (update job set name = 'locked' where id = ? returning id)
                update assignment set state = 'ACCEPTED' from locked where job_id = locked.id and node = 'n2'
                """;

        assertThat(beside(change, job, () -> one.step(id, "ACCEPTED"))
                        .is(200)
                        .json()
                        .path("mayStart")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void aRegistrationTakesBackNothingThatIsToStop() {
        String job = placed(piece("n1", "d0"));
        one.step(assignment(job), "ACCEPTED").is(200);

        beside("update assignment set state = 'STOPPING' where job_id = ?", job, () -> one.register())
                .is(200);

        assertThat(state(job)).as("nothing runs of it any more").isEqualTo("STOPPED");
    }

    @Test
    void aHeartbeatEndsNothingThatHasEnded() {
        String job = placed(piece("n1", "d0"));
        run(job, one);
        world.sql("update assignment set orphan = true where job_id = ?", job);

        beside("update assignment set state = 'FAILED' where job_id = ?", job, () -> one.status())
                .is(200);

        assertThat(state(job)).isEqualTo("FAILED");
    }

    private String state(String job) {
        return world.value(String.class, "select state from assignment where job_id = ?", job);
    }
}
