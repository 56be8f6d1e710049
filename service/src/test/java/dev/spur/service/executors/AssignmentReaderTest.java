package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.testing.ServiceTest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionTemplate;

class AssignmentReaderTest extends ServiceTest {
    private static final String AGGREGATOR = """
            insert into aggregator (node, number, cpus, port, shards, draining_shards) values ('n1', 0, 1, 20000, '[]', '[]')
            """;

    @Autowired
    private AssignmentReader reader;

    @Autowired
    private TransactionTemplate transaction;

    @Test
    void readsOneSnapshotDuringConcurrentChanges() {
        CompletableFuture<AssignmentReader.DesiredStateSnapshot> read = new CompletableFuture<>();
        transaction.executeWithoutResult(status -> {
            world.sql("lock table aggregator");
            read.completeAsync(() -> reader.read(List.of("n1")));
            awaitBlocked(read);
            world.sql(AGGREGATOR);
        });

        assertThat(read.orTimeout(60, TimeUnit.SECONDS).join().aggregators())
                .as("what came after it had begun")
                .isEmpty();
        assertThat(reader.read(List.of("n1")).aggregators()).hasSize(1);
    }
}
