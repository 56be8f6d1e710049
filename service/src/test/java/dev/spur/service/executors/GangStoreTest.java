package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;

/** Looking after many gangs waits for nobody who changes one: two that waited for each other would both fail. */
class GangStoreTest extends ExecutorsTest {
    @Autowired
    private GangStore gangs;

    @Autowired
    private TransactionTemplate transaction;

    /** Does {@code work} while somebody else changes the assignment of {@code job}. */
    private void besideAChangeOf(String job, Runnable work) {
        transaction.executeWithoutResult(status -> {
            world.sql("update assignment set detail = 'changing' where job_id = ?", job);
            CompletableFuture.runAsync(work).orTimeout(20, TimeUnit.SECONDS).join();
        });
    }

    private long count(String what, String job) {
        return world.value(Long.class, "select count(*) from assignment where job_id = ? and " + what, job);
    }

    @Test
    void gangsAreSeenToBeReadyNowOrNextTime() {
        String changing = placed(piece("n1", "d0"));
        String quiet = placed(piece("n2", "d0"));

        besideAChangeOf(changing, gangs::stampReady);

        assertThat(count("ready_at is not null", quiet)).isOne();
        assertThat(count("ready_at is not null", changing)).isZero();
        gangs.stampReady();
        assertThat(count("ready_at is not null", changing)).isOne();
    }

    @Test
    void whatIsNotWantedAnyMoreIsWithdrawnNowOrNextTime() {
        String changing = placed(piece("n1", "d0"));
        String quiet = placed(piece("n2", "d0"));
        world.sql("update job set allocation = null");

        besideAChangeOf(changing, gangs::withdraw);

        assertThat(count("state = 'STOPPED'", quiet)).isOne();
        assertThat(count("state = 'STOPPED'", changing)).isZero();
        gangs.withdraw();
        assertThat(count("state = 'STOPPED'", changing)).isOne();
    }
}
