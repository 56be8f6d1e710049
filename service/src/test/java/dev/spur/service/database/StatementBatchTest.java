package dev.spur.service.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.service.testing.ServiceTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionTemplate;

class StatementBatchTest extends ServiceTest {
    private static final RowMapper<Long> NUMBER = (row, index) -> row.getLong("n");
    private static final String POOL = "insert into pool (name, whole_nodes) values (:name || '%s', false)";

    @Autowired
    private NamedParameterJdbcOperations jdbc;

    @Autowired
    private TransactionTemplate transaction;

    private void inTransaction(Runnable work) {
        transaction.executeWithoutResult(status -> work.run());
    }

    private StatementBatch batch() {
        return new StatementBatch(jdbc).with("name", "spare").with("most", 3);
    }

    private long pools() {
        return world.value(Long.class, "select count(*) from pool where name like 'spare%'");
    }

    @Test
    void eachQuestionGetsItsOwnAnswerHoweverManyRowsItHas() {
        for (int again = 0; again < 8; again++) { // after a few times the driver has the server keep the statements
            inTransaction(() -> {
                StatementBatch batch = batch();
                var none = batch.query("select 1 as n where :most < 0", NUMBER);
                var many = batch.query("select n from generate_series(1, :most) n", NUMBER);
                batch.add("update pool set whole_nodes = true where name = :name");
                batch.add("set local lock_timeout = '1s'");
                var nothing = batch.query("update pool set whole_nodes = true where name = :name", NUMBER);
                var one = batch.query("select :most + 10 as n", NUMBER);
                var last = batch.query("select 1 as n where :most < 0", NUMBER);
                batch.execute();

                assertThat(none.first()).isEmpty();
                assertThat(many.rows()).containsExactly(1L, 2L, 3L);
                assertThat(nothing.rows()).isEmpty();
                assertThat(one.first()).contains(13L);
                assertThat(last.rows()).isEmpty();
            });
        }
    }

    @Test
    void aStatementSeesWhatThoseBeforeItHaveChangedAndNothingOfThoseAfterIt() {
        inTransaction(() -> {
            StatementBatch batch = batch();
            String count = "select count(*) as n from pool where name like :name || '%'";
            var before = batch.query(count, NUMBER);
            batch.add(POOL.formatted(1));
            var between = batch.query(count, NUMBER);
            batch.add(POOL.formatted(2));
            var after = batch.query(count, NUMBER);
            batch.execute();

            assertThat(before.first()).contains(0L);
            assertThat(between.first()).contains(1L);
            assertThat(after.first()).contains(2L);
        });
        assertThat(pools()).isEqualTo(2);
    }

    @Test
    void keysOfSeveralInsertionsAreDistinct() {
        world.node("n1", 1);
        inTransaction(() -> {
            StatementBatch batch = batch();
            String insertion = """
                    insert into node (id, pool, accelerator_type, devices, cpus, memory_gib, aggregation_slots,
                        price_per_slot_hour, state)
                    select id || '%s', pool, accelerator_type, devices, 1, 1, 0, 0, state from node where id = 'n1'
                    returning seq as n
                    """;
            var first = batch.query(insertion.formatted("a"), NUMBER);
            var second = batch.query(insertion.formatted("b"), NUMBER);
            batch.execute();

            assertThat(first.rows()).containsExactly(seq("n1a"));
            assertThat(second.rows()).containsExactly(seq("n1b"));
            assertThat(second.rows().get(0)).isGreaterThan(first.rows().get(0));
        });
    }

    private long seq(String node) {
        return world.value(Long.class, "select seq from node where id = ?", node);
    }

    @Test
    void nothingOfItCountsWhenAStatementFails() {
        Runnable fails = () -> {
            StatementBatch batch = batch();
            batch.add(POOL.formatted(1));
            batch.query("select 1 / (:most - 3) as n", NUMBER);
            batch.add(POOL.formatted(2));
            batch.execute();
        };

        assertThatThrownBy(() -> inTransaction(fails))
                .isInstanceOf(DataAccessException.class)
                .hasMessageContaining("division by zero");
        assertThat(pools()).isZero();
    }

    @Test
    void aBatchWithoutATransactionIsRejectedAndChangesNothing() {
        StatementBatch batch = batch().add(POOL.formatted(1));

        assertThatThrownBy(batch::execute).isInstanceOf(IllegalTransactionStateException.class);
        assertThat(pools()).isZero();
    }

    @Test
    void rowsOfAStatementWithoutAReaderAreAnError() {
        StatementBatch batch = batch().add("select 1 as n");

        assertThatThrownBy(() -> inTransaction(batch::execute))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("select 1 as n");
    }
}
