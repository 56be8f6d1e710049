package dev.spur.connectors.determined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.PlatformNode.Condition;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is seen while agents, the master or its logins are away. */
class OutagesTest {
    private final DeterminedFixture rig = new DeterminedFixture(2);

    @AfterEach
    void close() {
        rig.close();
    }

    private List<PlatformNode> nodes() throws Exception {
        return rig.platform().inventory();
    }

    @Nested
    class AnAgent {
        private String running() {
            String job = rig.submit(4);
            rig.converge(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 4)));
            return job;
        }

        private void assertIsClosedAndKeepsItsSlots(String job) throws Exception {
            assertThat(nodes().get(0))
                    .extracting(PlatformNode::condition, PlatformNode::slots, PlatformNode::used, PlatformNode::free)
                    .containsExactly(Condition.CLOSED, 8, 4, 0);
            assertThat(rig.look(job).state()).isEqualTo(State.RUNNING);
            assertThat(rig.look(job).held()).isEqualTo(JobPlacement.of(Map.of("gpu1", 4)));
        }

        @Test
        void whoseConnectionIsLostIsClosedAndKeepsItsSlots() throws Exception {
            String job = running();

            rig.master.disconnect("gpu1", 3);

            assertIsClosedAndKeepsItsSlots(job);
            for (int tick = 0; tick < 3; tick++) {
                rig.master.tick();
            }
            assertThat(nodes()).extracting(PlatformNode::condition).containsOnly(Condition.OPEN);
        }

        @Test
        void isClosedAndKeepsItsSlotsAfterARestartOfTheMaster() throws Exception {
            String job = running();

            rig.master.restart();

            assertIsClosedAndKeepsItsSlots(job);
        }

        @Test
        void thatIsStoppedIsShownAsLongAsTheMasterWaitsForIt() throws Exception {
            String job = running();

            rig.master.remove("gpu1");

            assertIsClosedAndKeepsItsSlots(job);
            for (int tick = 0; tick < 25; tick++) {
                rig.master.tick();
            }
            assertThat(nodes()).extracting(PlatformNode::name).containsExactly("gpu2");
        }

        @Test
        void withSlotsOfCpusHasANote() throws Exception {
            rig.master.cpuAgent("cpu1", "gpu", 4);

            PlatformNode node = nodes().get(0);

            assertThat(node.name()).isEqualTo("cpu1");
            assertThat(node.slots()).isZero();
            assertThat(node.notes()).containsExactly("its slots are neither CUDA nor ROCm devices");
        }
    }

    @Nested
    class ALogin {
        private final List<Optional<Duration>> timeouts = new ArrayList<>();

        private DeterminedPlatform platform(boolean answered) {
            Transport network = Transport.network(Duration.ofSeconds(30));
            return new DeterminedPlatform(rig.settings(), rig.master.clock(), (HttpRequest request) -> {
                if (request.uri().getPath().endsWith("/login")) {
                    timeouts.add(request.timeout());
                    if (!answered) {
                        throw new IOException("no complete response within 60 s");
                    }
                }
                return network.send(request);
            });
        }

        @Test
        void hasMoreTimeThanOtherCalls() throws Exception {
            platform(true).inventory();

            assertThat(timeouts).containsExactly(Optional.of(Duration.ofSeconds(60)));
            assertThat(rig.settings().timeout()).isLessThan(Duration.ofSeconds(60));
        }

        @Test
        void thatFailsIsTriedAgainLessAndLessOften() {
            DeterminedPlatform platform = platform(false);

            for (int second = 0; second < 40; second++) {
                assertThatThrownBy(platform::inventory)
                        .isInstanceOf(IOException.class)
                        .hasMessage("login of user spur: no complete response within 60 s");
                rig.master.tick();
            }

            // after 0, 5, 15 and 35 seconds
            assertThat(timeouts).hasSize(4);
        }
    }
}
