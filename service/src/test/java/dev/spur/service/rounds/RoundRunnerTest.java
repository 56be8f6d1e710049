package dev.spur.service.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.UncategorizedSQLException;

class RoundRunnerTest {
    @Test
    void theCauseOfAFailedStatementIsWhatTheDatabaseStates() {
        var failure = new UncategorizedSQLException(
                "PreparedStatementCallback",
                "insert into plan (revision) values (?)",
                new SQLException(
                        "ERROR: could not extend file: No space left on device\n  Hint: Check free disk space."));

        assertThat(RoundRunner.causeOf(failure))
                .isEqualTo("A statement of the database failed: ERROR: could not extend file: No space left on device");
        assertThat(RoundRunner.causeOf(new IllegalStateException("The plan is empty.")))
                .isEqualTo("The plan is empty.");
        assertThat(RoundRunner.causeOf(new StackOverflowError())).isEqualTo("java.lang.StackOverflowError");
    }
}
