package dev.spur.connectors.determined;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.reconcile.DesiredState.DesiredJob;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connector that crashes at its work on a master of Determined, and is started anew. */
class CrashTest {
    private final DeterminedFixture rig = new DeterminedFixture(4);

    @AfterEach
    void close() {
        rig.close();
    }

    @Nested
    class BetweenCancelAndContinue {
        private boolean cut;

        /** Resizes a job that runs on 8 slots to 4, and cuts the power once, around the call to continue it. */
        private String crash(boolean answered) {
            String job = rig.submit(8);
            rig.converge(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 8)));
            rig.master.tick();
            rig.cuts = (change, done) -> {
                if (!cut && done == answered && isContinue(change)) {
                    cut = true;
                    throw new DeterminedFixture.Crash();
                }
            };
            var smaller = rig.plan(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 4)));
            for (int look = 0; look < 50 && !cut; look++) {
                try {
                    rig.step(smaller);
                } catch (DeterminedFixture.Crash power) {
                    break;
                }
                rig.master.tick();
            }
            assertThat(cut).isTrue();
            return job;
        }

        @Test
        void theNextOneContinuesItUnderItsId() {
            String job = crash(false);
            long trained = rig.master.batches(job);
            assertThat(rig.master.state(job)).isEqualTo("STATE_CANCELED");
            assertThat(rig.look(job).state()).isEqualTo(State.HELD);

            Map<String, DesiredJob> wants = DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 4));
            rig.converge(wants);

            rig.assertShows(job, wants.get(job));
            assertThat(rig.master.starts(job)).isEqualTo(2);
            assertThat(rig.master.batches(job)).isGreaterThanOrEqualTo(trained);
        }

        @Test
        void oneThatWasContinuedWithoutAWordIsNotContinuedTwice() {
            String job = crash(true);

            rig.converge(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 4)));

            assertThat(rig.master.starts(job)).isEqualTo(2);
        }

        @Test
        void aPlanThatGoesBackToTheOldSizeDoesNotLoseIt() {
            String job = crash(false);

            Map<String, DesiredJob> wants = DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 8));
            rig.converge(wants);

            rig.assertShows(job, wants.get(job));
        }

        @Test
        void aPlanThatLetsItWaitKeepsIt() {
            String job = crash(false);

            rig.converge(DeterminedFixture.wants(job, new DesiredJob.Wait()));
            rig.assertShows(job, new DesiredJob.Wait());
            Map<String, DesiredJob> wants = DeterminedFixture.wants(job, DeterminedFixture.run("gpu2", 2));
            rig.converge(wants);

            rig.assertShows(job, wants.get(job));
        }

        @Test
        void oneThatIsCalledOffThenIsNotContinued() {
            String job = crash(false);

            rig.converge(DeterminedFixture.wants(job, new DesiredJob.End()));
            rig.converge(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 4)));

            assertThat(rig.look(job).state()).isEqualTo(State.CANCELLED);
        }

        @Test
        void whatItsOwnerCancelsLaterIsNotContinued() {
            String job = crash(true);
            rig.converge(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 4)));

            rig.master.tell(job, "cancel");
            rig.master.tick();
            for (int look = 0; look < 10; look++) {
                rig.step(rig.plan(DeterminedFixture.wants(job, DeterminedFixture.run("gpu1", 4))));
                rig.master.tick();
            }

            assertThat(rig.look(job).state()).isEqualTo(State.CANCELLED);
        }
    }

    private static boolean isContinue(HttpRequest change) {
        return change.uri().getPath().endsWith("/continue");
    }

    /** Every plan is carried out while the power is cut around one change after the other, at random distances. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void atAnyPointNothingIsLostOrDoubled(long seed) {
        Random random = new Random(seed);
        List<String> jobs = new ArrayList<>();
        for (int n = 0; n < 6; n++) {
            jobs.add(rig.submit(1 << random.nextInt(4)));
        }
        for (int plan = 0; plan < 6; plan++) {
            Map<String, DesiredJob> wants = randomPlan(random, jobs);
            Map<String, Integer> starts = new LinkedHashMap<>();
            Map<String, Integer> held = new LinkedHashMap<>();
            for (String job : jobs) {
                starts.put(job, rig.master.starts(job));
                held.put(job, rig.look(job).held().total());
            }
            cutAtRandom(random);

            rig.converge(wants);

            for (String job : jobs) {
                rig.assertShows(job, wants.get(job));
                int more = rig.master.starts(job) - starts.get(job);
                boolean waits = wants.get(job) instanceof DesiredJob.Wait;
                boolean stays = wants.get(job) instanceof DesiredJob.Run run
                        && run.placement().total() == held.get(job);
                // one that stays may step aside once, for one that does not fit otherwise
                assertThat(more)
                        .as("starts of job %s that held %s under %s", job, held.get(job), wants.get(job))
                        .isBetween(waits || stays ? 0 : 1, waits ? 0 : stays ? 1 : 2);
            }
        }
        assertThat(rig.look(jobs.get(0)).id()).isEqualTo(jobs.get(0));
    }

    private void cutAtRandom(Random random) {
        int[] next = {1 + random.nextInt(4)};
        rig.cuts = (change, answered) -> {
            if (--next[0] == 0) {
                next[0] = 2 + random.nextInt(9);
                throw new DeterminedFixture.Crash();
            }
        };
    }

    /** Some jobs run, on a part of an agent or on whole ones; the others wait. All sizes are powers of two. */
    static Map<String, DesiredJob> randomPlan(Random random, List<String> jobs) {
        int[] free = {8, 8, 8, 8};
        Map<String, DesiredJob> wants = new LinkedHashMap<>();
        List<String> order = new ArrayList<>(jobs);
        Collections.shuffle(order, random);
        for (String job : order) {
            int slots = 1 << random.nextInt(5);
            int first = random.nextInt(4);
            int second = (first + 1 + random.nextInt(3)) % 4;
            Map<String, Integer> there = new LinkedHashMap<>();
            there.put("gpu" + (first + 1), Math.min(8, slots));
            if (slots > 8) {
                there.put("gpu" + (second + 1), 8);
            }
            boolean fits = free[first] >= Math.min(8, slots) && (slots <= 8 || free[second] == 8);
            if (fits && random.nextInt(5) > 0) {
                free[first] -= Math.min(8, slots);
                free[second] -= slots > 8 ? 8 : 0;
                wants.put(job, new DesiredJob.Run(JobPlacement.of(there)));
            } else {
                wants.put(job, new DesiredJob.Wait());
            }
        }
        return wants;
    }
}
