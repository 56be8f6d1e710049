package dev.spur.connectors.determined;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.DesiredAggregator;
import dev.spur.connectors.reconcile.AggregatorLedger.Line;
import dev.spur.connectors.reconcile.AggregatorReconciler;
import dev.spur.connectors.reconcile.AggregatorReconciler.ReconcileResult;
import dev.spur.connectors.reconcile.InMemoryAggregatorLedger;
import dev.spur.connectors.reconcile.Limits;
import dev.spur.connectors.testing.MasterCommands;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Aggregators as commands on a master of Determined, kept by a keeper that is made anew for each look. */
class AggregatorsTest {
    private static final DesiredAggregator ONE = new DesiredAggregator("gpu1", 0, "gpu", 20_001);
    private static final DesiredAggregator OTHER = new DesiredAggregator("gpu2", 0, "gpu", 20_002);

    private final DeterminedFixture rig = new DeterminedFixture(3);
    private final MasterCommands commands = rig.master.commands();
    private final InMemoryAggregatorLedger ledger = new InMemoryAggregatorLedger();

    @AfterEach
    void close() {
        rig.close();
    }

    private ReconcileResult look(DesiredAggregator... desired) {
        return look(List.of(desired));
    }

    private ReconcileResult look(List<DesiredAggregator> desired) {
        var keeper = new AggregatorReconciler(
                rig.platform().aggregatorHost().orElseThrow(), ledger, rig.log, Limits.DEFAULT, rig.master.clock());
        try {
            return keeper.reconcile(desired);
        } catch (IOException | InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Looks until all that are wanted are seen, and nothing else is there. */
    private void converge(DesiredAggregator... desired) {
        converge(List.of(desired));
    }

    private void converge(List<DesiredAggregator> desired) {
        for (int look = 0; look < 400; look++) {
            try {
                look(desired);
                if (isThere(desired)) {
                    return;
                }
            } catch (DeterminedFixture.Crash power) {
                // the next one goes on
            }
            rig.master.tick();
        }
        throw new AssertionError("it has not come about: %s wanted, %s".formatted(desired, ledger.lines()));
    }

    private boolean isThere(List<DesiredAggregator> desired) {
        List<Line> lines = ledger.lines();
        return lines.size() == desired.size()
                && lines.stream()
                        .allMatch(line -> desired.contains(line.want())
                                && line.place().isPresent()
                                && commands.alive(line.mark()).size() == 1)
                && commands.alive("spur aggregator").size() == desired.size();
    }

    private void pass(int seconds) {
        for (int second = 0; second < seconds; second++) {
            rig.master.tick();
        }
    }

    @Nested
    class AnAggregator {
        @Test
        void isACommandWithoutSlotsThatKnowsItsPortAndItsKey() {
            converge(ONE);

            JsonNode shown = commands.shown(commands.alive("gpu1/0").get(0));
            Line line = ledger.lines().get(0);
            assertThat(shown.at("/config/resources/slots").asInt(-1)).isZero();
            assertThat(shown.at("/config/resources/resource_pool").asString()).isEqualTo("gpu");
            assertThat(shown.at("/config/environment/environment_variables/0").asString())
                    .isEqualTo("SPUR_AGGREGATOR_KEY=" + line.key());
            assertThat(shown.at("/config/entrypoint").toString())
                    .isEqualTo("[\"spur\",\"aggregator\",\"--port\",\"20001\",\"--service\",\"http://spur:8080\"]");
            assertThat(shown.at("/command/description").asString()).doesNotContain(line.key());
            assertThat(line.place().orElseThrow().host()).isEqualTo("127.0.0.1");
            assertThat(line.place().orElseThrow().port()).isEqualTo(20_001);
        }

        @Test
        void goesOnWhileOthersComeAndGo() {
            converge(ONE);
            String first = commands.alive("gpu1/0").get(0);

            converge(ONE, OTHER);
            converge(ONE);

            assertThat(commands.alive("spur aggregator")).containsExactly(first);
            assertThat(commands.launched()).isEqualTo(2);
        }

        @Test
        void thatListensElsewhereIsAnotherOne() {
            converge(ONE);

            converge(new DesiredAggregator("gpu1", 0, "gpu", 20_009));

            assertThat(commands.alive("port=20001")).isEmpty();
            assertThat(commands.alive("port=20009")).hasSize(1);
        }

        @Test
        void thatItsUserKillsIsStartedAgainForTheSameOrder() {
            converge(ONE);
            Line before = ledger.lines().get(0);
            pass(120);

            commands.kill(commands.alive("gpu1/0").get(0));
            rig.master.tick();
            look(ONE);

            assertThat(commands.alive("gpu1/0")).hasSize(1);
            assertThat(ledger.lines().get(0).mark()).isEqualTo(before.mark());
            assertThat(ledger.lines().get(0).place()).isEmpty();
        }

        @Test
        void isStartedAgainWhereItsAgentIsGone() {
            converge(ONE);
            pass(120);
            String before = commands.shown(commands.alive("gpu1/0").get(0))
                    .at("/command/container/parent")
                    .asString();

            rig.master.remove(before);
            pass(30);
            converge(ONE);

            assertThat(commands.shown(commands.alive("gpu1/0").get(0))
                            .at("/command/container/parent")
                            .asString())
                    .isNotEqualTo(before);
        }

        @Test
        void waitsForAPlaceWithoutBeingAskedForAgain() {
            commands.places(0);
            for (int look = 0; look < 100; look++) {
                assertThat(look(ONE).failures()).isEmpty();
                rig.master.tick();
            }
            assertThat(ledger.lines().get(0).place()).isEmpty();

            commands.places(1);
            converge(ONE);

            assertThat(commands.launched()).isEqualTo(1);
        }

        @Test
        void isNotTouchedWithoutTheMode() {
            rig.log.controlLevel(ControlLevel.PRIORITIZE);
            look(ONE);
            assertThat(commands.launched()).isZero();

            rig.log.controlLevel(ControlLevel.ADMIT);
            converge(ONE);
            rig.log.controlLevel(ControlLevel.OBSERVE);
            look();

            assertThat(commands.alive("gpu1/0")).hasSize(1);
        }
    }

    @Nested
    class OneThatFailsAtOnce {
        /** @param pause seconds between looks: many do not see that it ran */
        @ParameterizedTest
        @ValueSource(ints = {1, 7})
        void isTriedLessAndLessOftenAndThenIsLuckless(int pause) {
            commands.run((agent, entrypoint, environment) -> {
                try {
                    Process gone = new ProcessBuilder("false").start();
                    gone.waitFor(10, TimeUnit.SECONDS);
                    return Optional.of(gone);
                } catch (IOException | InterruptedException impossible) {
                    throw new AssertionError(impossible);
                }
            });
            List<DesiredAggregator> repeatedlyFailing = new ArrayList<>();
            for (int second = 0; second < 300; second += pause) {
                repeatedlyFailing.addAll(look(ONE).repeatedlyFailing());
                pass(pause);
            }

            // the pauses are 30 or 60 seconds at first, and double
            assertThat(commands.launched()).isBetween(3, 5);
            assertThat(repeatedlyFailing).contains(ONE);
            assertThat(rig.log.status().controlLevel()).isEqualTo(ControlLevel.RESIZE);
        }
    }

    @Nested
    class WhatTheMasterSays {
        @Test
        void isNotBelievedOfAStart() {
            rig.master.lie(true);
            for (int look = 0;
                    look < 400 && rig.log.status().circuitOpenReason().isEmpty();
                    look++) {
                look(ONE);
                rig.master.tick();
            }

            assertThat(rig.log.status().controlLevel()).isEqualTo(ControlLevel.OBSERVE);
            assertThat(rig.log.status().circuitOpenReason().orElseThrow()).contains("returned no id");
            rig.master.lie(false);
            rig.log.controlLevel(ControlLevel.ADMIT);
            converge(ONE);
        }

        @Test
        void isNotBelievedOfAnEnd() {
            converge(ONE);
            rig.master.lie(true);
            for (int look = 0;
                    look < 400 && rig.log.status().circuitOpenReason().isEmpty();
                    look++) {
                look();
                rig.master.tick();
            }

            assertThat(rig.log.status().circuitOpenReason().orElseThrow()).contains("was stopped but still exists");
            rig.master.lie(false);
            rig.log.controlLevel(ControlLevel.ADMIT);
            converge();
        }

        @Test
        void ofARefusalIsKeptForPeopleAndTripsNothing() {
            rig.master.refuse(true);
            for (int look = 0; look < 100; look++) {
                look(ONE);
                rig.master.tick();
            }

            assertThat(rig.log.status().controlLevel()).isEqualTo(ControlLevel.RESIZE);
            assertThat(ledger.lines().get(0).detail()).contains("access denied");
        }
    }

    @Nested
    class CommandsOfOthers {
        @Test
        void areNeitherTakenNorEnded() {
            converge(ONE);
            String mark = ledger.lines().get(0).mark();
            String forged = "spur aggregator gpu1/0 port=20001 mark=" + mark;
            String theirs = commands.launch("ann", "gpu", forged);
            String unknown =
                    commands.launch("spur", "gpu", forged.replace(mark, "00000000-0000-0000-0000-000000000001"));
            pass(2);

            look(ONE);
            look();
            pass(40);
            look();

            assertThat(commands.alive("spur aggregator")).containsExactlyInAnyOrder(theirs, unknown);
            assertThat(ledger.lines()).isEmpty();
        }
    }

    @Test
    void ofTwoForOneOrderTheYoungerEnds() {
        converge(ONE);
        String mark = ledger.lines().get(0).mark();
        String first = commands.alive("gpu1/0").get(0);
        rig.master.tick();
        commands.launch("spur", "gpu", "spur aggregator gpu1/0 port=20001 mark=" + mark);

        converge(ONE);

        assertThat(commands.alive("gpu1/0")).containsExactly(first);
    }

    private static boolean isLaunch(HttpRequest change) {
        return change.uri().getPath().endsWith("/commands");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCrashAroundTheLaunchNeitherLosesNorDoublesIt(boolean answered) {
        boolean[] cut = {false};
        rig.cuts = (change, done) -> {
            if (!cut[0] && done == answered && isLaunch(change)) {
                cut[0] = true;
                throw new DeterminedFixture.Crash();
            }
        };

        converge(ONE);

        assertThat(cut[0]).isTrue();
        assertThat(commands.launched()).isEqualTo(1);
    }

    /** Plans change while the power is cut around one change after the other, and users kill what they find. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void atAnyPointNoneIsLostOrDoubled(long seed) {
        Random random = new Random(seed);
        int[] next = {1 + random.nextInt(3)};
        rig.cuts = (change, answered) -> {
            if (--next[0] == 0) {
                next[0] = 1 + random.nextInt(5);
                throw new DeterminedFixture.Crash();
            }
        };
        int orders = 0;
        for (int plan = 0; plan < 12; plan++) {
            List<DesiredAggregator> desired = new ArrayList<>();
            for (int node = 1; node <= 3; node++) {
                if (random.nextInt(3) > 0) {
                    desired.add(new DesiredAggregator("gpu" + node, 0, "gpu", 20_000 + node + 10 * random.nextInt(2)));
                }
            }
            orders += desired.size();
            List<String> there = commands.alive("spur aggregator");
            if (!there.isEmpty() && random.nextInt(3) == 0) {
                commands.kill(there.get(random.nextInt(there.size())));
                orders++;
            }

            converge(desired);
        }
        // an order is launched again only when it did not come to an end
        assertThat(commands.launched()).isLessThanOrEqualTo(orders);
    }
}
