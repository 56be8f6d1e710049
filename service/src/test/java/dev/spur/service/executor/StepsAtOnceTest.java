package dev.spur.service.executor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.contract.ContractedClient.Answer;
import dev.spur.service.contract.ProblemType;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;

/** Steps that come while somebody else changes what they are about: they are held against what is true afterwards. */
class StepsAtOnceTest extends ExecutorsTest {
    @Autowired
    private TransactionTemplate transaction;

    /** The answer to a step that comes after {@code change} of {@code subject} was made, and before it is committed. */
    private Answer beside(String change, String subject, Supplier<Answer> step) {
        CompletableFuture<Answer> answer = Objects.requireNonNull(transaction.execute(status -> {
            world.sql(change, subject);
            CompletableFuture<Answer> asked = CompletableFuture.supplyAsync(step);
            awaitBlocked(asked);
            return asked;
        }));
        return answer.orTimeout(60, TimeUnit.SECONDS).join();
    }

    @Test
    void anExecutorThatHasRegisteredAnewIsNotHeardUnderItsOldEpoch() {
        String job = placed(piece("n1", "d0"));

        beside("update executor set epoch = epoch + 1 where id = ?", "n1", () -> one.step(assignment(job), "ACCEPTED"))
                .is(ProblemType.STALE_EPOCH);
    }

    @Test
    void norAreItsHeartbeats() {
        beside("update executor set epoch = epoch + 1 where id = ?", "n1", () -> one.status())
                .is(ProblemType.STALE_EPOCH);
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
    void theLastOfAGangToAcceptIsToldToGo() {
        String job = placed(piece("n1", "d0"), piece("n2", "d0"));
        String id = assignment(job);
        String change = """
                with locked as (update job set name = 'locked' where id = ? returning id)
                update assignment set state = 'ACCEPTED' from locked where job_id = locked.id and node = 'n2'
                """;

        assertThat(beside(change, job, () -> one.step(id, "ACCEPTED"))
                        .is(200)
                        .json()
                        .path("go")
                        .asBoolean())
                .isTrue();
    }
}
