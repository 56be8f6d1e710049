package dev.spur.service.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.service.testing.ServiceTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
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

    private StatementBatch journey() {
        return new StatementBatch(jdbc).with("name", "spare").with("most", 3);
    }

    private long pools() {
        return world.value(Long.class, "select count(*) from pool where name like 'spare%'");
    }

    @Test
    void eachQuestionGetsItsOwnAnswerHoweverManyRowsItHas() {
        for (int again = 0; again < 8; again++) { // after a few times the driver has the server keep the statements
            inTransaction(() -> {
                StatementBatch journey = journey();
                var none = journey.ask("select 1 as n where :most < 0", NUMBER);
                var many = journey.ask("select n from generate_series(1, :most) n", NUMBER);
                journey.tell("update pool set whole_nodes = true where name = :name");
                journey.tell("set local lock_timeout = '1s'");
                var nothing = journey.ask("update pool set whole_nodes = true where name = :name", NUMBER);
                var one = journey.ask("select :most + 10 as n", NUMBER);
                var last = journey.ask("select 1 as n where :most < 0", NUMBER);
                journey.go();

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
            StatementBatch journey = journey();
            String count = "select count(*) as n from pool where name like :name || '%'";
            var before = journey.ask(count, NUMBER);
            journey.tell(POOL.formatted(1));
            var between = journey.ask(count, NUMBER);
            journey.tell(POOL.formatted(2));
            var after = journey.ask(count, NUMBER);
            journey.go();

            assertThat(before.first()).contains(0L);
            assertThat(between.first()).contains(1L);
            assertThat(after.first()).contains(2L);
        });
        assertThat(pools()).isEqualTo(2);
    }

    @Test
    void keysOfSeveralInsertionsAreToldApart() {
        world.node("n1", 1);
        inTransaction(() -> {
            StatementBatch journey = journey();
            String insertion = """
                    insert into node (id, pool, accelerator_type, devices, cpus, memory_gib, aggregation_slots,
                        price_per_slot_hour, state)
                    select id || '%s', pool, accelerator_type, devices, 1, 1, 0, 0, state from node where id = 'n1'
                    returning seq as n
                    """;
            var first = journey.ask(insertion.formatted("a"), NUMBER);
            var second = journey.ask(insertion.formatted("b"), NUMBER);
            journey.go();

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
            StatementBatch journey = journey();
            journey.tell(POOL.formatted(1));
            journey.ask("select 1 / (:most - 3) as n", NUMBER);
            journey.tell(POOL.formatted(2));
            journey.go();
        };

        assertThatThrownBy(() -> inTransaction(fails))
                .isInstanceOf(DataAccessException.class)
                .hasMessageContaining("division by zero");
        assertThat(pools()).isZero();
    }

    @Test
    void rowsThatNobodyAskedForAreAMistake() {
        StatementBatch journey = journey().tell("select 1 as n");

        assertThatThrownBy(() -> inTransaction(journey::go))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("select 1 as n");
    }
}
