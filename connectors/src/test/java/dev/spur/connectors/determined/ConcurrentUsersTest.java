package dev.spur.connectors.determined;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.reconcile.DesiredState;
import dev.spur.connectors.reconcile.DesiredState.DesiredJob;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users of Determined who do what they like while Spur carries plans out, on a cluster that preempts. */
class ConcurrentUsersTest {
    private final DeterminedFixture rig = new DeterminedFixture(4);
    private final List<String> jobs = new ArrayList<>();
    private final List<String> foreign = new ArrayList<>();
    private final TreeSet<String> cancelled = new TreeSet<>();

    @AfterEach
    void close() {
        rig.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void winAndLeaveTheRestToThePlan(long seed) {
        Random random = new Random(seed);
        rig.master.preemption(true);
        for (int n = 0; n < 6; n++) {
            jobs.add(rig.submit(1 << random.nextInt(4)));
        }
        for (int plan = 0; plan < 5; plan++) {
            DesiredState desired = rig.plan(CrashTest.randomPlan(random, jobs));
            for (int look = 0; look < 8; look++) {
                rig.step(desired);
                if (random.nextInt(3) == 0) {
                    change(jobs.get(random.nextInt(jobs.size())), random);
                }
                rig.master.tick();
                assertThat(foreign).allMatch(id -> rig.master.state(id).equals("STATE_ACTIVE"));
            }
        }

        foreign.forEach(id -> rig.master.tell(id, "kill"));
        Map<String, DesiredJob> wants = new LinkedHashMap<>();
        jobs.stream().filter(id -> !cancelled.contains(id)).forEach(id -> wants.put(id, new DesiredJob.Wait()));
        DesiredState rest = rig.plan(wants);
        for (int look = 0; look < 20; look++) {
            // whatever a person has taken over the person gives back
            rig.step(rest).manuallyOverridden().keySet().forEach(id -> rig.master.tell(id, "pause"));
            rig.master.tick();
        }
        rig.converge(rest);

        wants.keySet().forEach(id -> rig.assertShows(id, new DesiredJob.Wait()));
        assertThat(cancelled).allMatch(id -> rig.look(id).state() == State.CANCELLED);
        assertThat(rig.log.status().circuitOpenReason()).isEmpty();
    }

    private void change(String job, Random random) {
        String state = rig.master.state(job);
        boolean active = state.equals("STATE_ACTIVE");
        if (!active && !state.equals("STATE_PAUSED")) {
            return;
        }
        switch (random.nextInt(6)) {
            case 0 -> {
                rig.master.tell(job, "cancel");
                cancelled.add(job);
            }
            case 1, 2 -> rig.master.tell(job, active ? "pause" : "activate");
            case 3 -> rig.master.notes(job, "looks good\n\n" + rig.master.notes(job));
            case 4 -> foreign.add(rig.master.submit("gpu", 1 << random.nextInt(4), 1, true, List.of()));
            default -> rig.master.restart();
        }
    }
}
