package dev.spur.service.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.testing.ServiceTest;
import dev.spur.service.web.access.AuthenticationMode;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.env.Environment;

/** What the service prints about agents when it starts. */
class AgentInvitationTest extends ServiceTest {
    @Autowired
    private AgentInvitation invitation;

    @Autowired
    private AuthenticationMode mode;

    @Autowired
    private ExecutorStore executors;

    @Autowired
    private Environment environment;

    @Test
    void theCommandOfAnAgentIsPrintedWhileNoneIsConnected() {
        String port = address().replaceFirst(".*:", "");

        assertThat(invitation.lines())
                .singleElement()
                .asString()
                .startsWith("No agent is connected. Start one with: ./spur agent --service http://")
                .endsWith(":" + port);

        connect();
        assertThat(executors.anyAlive()).isTrue();
        assertThat(invitation.lines()).isEmpty();
    }

    @Test
    void eachCommandThatNeedsATokenStatesIt() {
        assertThat(AgentInvitation.withTokens("http://n1:8080"))
                .contains(
                        "  SPUR_TOKEN=OPERATOR_TOKEN ./spur token create agent-NODE --role executor --node NODE --service http://n1:8080")
                .filteredOn(line -> line.contains("./spur"))
                .allSatisfy(line -> assertThat(line).startsWith("  SPUR_TOKEN="));
    }

    @Test
    void aDemoNeedsNoAgent() {
        assertThat(new AgentInvitation(mode, executors, environment, "127.0.0.1", true).lines())
                .isEmpty();
    }

    private void connect() {
        world.node("n1", 1);
        world.sql("""
                insert into executor (id, instance, registration_epoch, state, address, devices, registered_at, seen_at, lease_expires_at, reclaim_at)
                values (?, 'i', 1, 'ALIVE', 'n1', '{}', now(), now(), now() + interval '3 minutes', now() + interval '5 minutes')
                """, "n1");
    }
}
