package dev.spur.service.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.database.postgres.TestDatabase;
import dev.spur.service.testing.TestCluster;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An orderly stop while something is still going on. */
@Tag("fault")
class StopTest {
    @Test
    void waitsForOpenTransactions() throws Exception {
        try (TestDatabase database = TestDatabase.migrated()) {
            CompletableFuture<String> straggler;
            try (Replica replica = Replica.start(database, "spur.rounds.enabled=false")) {
                TestCluster world = replica.world();
                straggler = CompletableFuture.supplyAsync(
                        () -> world.value(String.class, "select 'done' from pg_sleep(1)"));
                Faults.await(
                        "it to begin",
                        () -> world.value(
                                        Long.class,
                                        "select count(*) from pg_stat_activity where query like '%from pg_sleep%'")
                                >= 2);
            }

            assertThat(straggler.get()).isEqualTo("done");
        }
    }
}
