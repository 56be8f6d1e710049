package dev.spur.service.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.contract.ContractedClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

class WriteFailuresTest extends ServiceTest {
    private static final String INSERT = "insert into accelerator_type (name, memory_gib) values ('T4', 16)";

    @Autowired
    private WriteProbe probe;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private TransactionTemplate transaction;

    @LocalServerPort
    private int port;

    @AfterEach
    void acceptWrites() {
        probe.step();
    }

    private int readiness() {
        return new ContractedClient(port).get("/health/ready").status();
    }

    private void write(String before) {
        transaction.executeWithoutResult(status -> {
            jdbc.sql(before).update();
            jdbc.sql(INSERT).update();
        });
    }

    @Test
    void aReadOnlyDatabaseMakesTheReplicaUnreadyUntilAWriteSucceeds() {
        assertThat(readiness()).isEqualTo(200);

        assertThatThrownBy(() -> write("set transaction read only"))
                .isInstanceOf(DataAccessResourceFailureException.class);
        assertThat(readiness()).isEqualTo(503);

        probe.step();
        assertThat(readiness()).isEqualTo(200);
        write("set local lock_timeout = 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"53100", "58030"})
    void aFullOrBrokenDiskMakesTheReplicaUnready(String state) {
        assertThatThrownBy(() -> write("do $$ begin raise 'no space left' using errcode = '" + state + "'; end $$"))
                .isInstanceOf(DataAccessResourceFailureException.class);

        assertThat(readiness()).isEqualTo(503);
    }

    @Test
    void aMistakeOfAStatementSaysNothingAboutWrites() {
        assertThatThrownBy(() -> write("insert into pool (name, whole_nodes) values ('main', false)"));

        assertThat(readiness()).isEqualTo(200);
    }
}
