package dev.spur.service.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.ControlLevel;
import dev.spur.service.testing.ServiceTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

class ConnectorStoreTest extends ServiceTest {
    @Autowired
    private ConnectorStore connectors;

    /** The database clock is set back by an hour: for it, that is as if the lease ended an hour later. */
    @Test
    void aConnectorOfAKilledReplicaIsTakenWhenTheClockWasSetBack() {
        connectors.enter("slurm", "SLURM", ControlLevel.OBSERVE);
        assertThat(connectors.hold("slurm", "killed", 120)).isTrue();
        assertThat(connectors.hold("slurm", "other", 120)).isFalse();

        world.sql("update connector set expires_at = expires_at + interval '1 hour'");

        assertThat(connectors.hold("slurm", "other", 120)).isTrue();
        assertThat(connectors.hold("slurm", "killed", 120)).isFalse();
    }
}
