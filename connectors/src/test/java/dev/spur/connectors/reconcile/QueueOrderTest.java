package dev.spur.connectors.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.ControlLevel;
import dev.spur.connectors.JobAction;
import dev.spur.connectors.JobAnnotation;
import dev.spur.connectors.JobPlacement;
import dev.spur.connectors.PlatformJob;
import dev.spur.connectors.PlatformJob.Size;
import dev.spur.connectors.PlatformJob.State;
import dev.spur.connectors.reconcile.DesiredState.DesiredJob;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The order of waiting jobs. */
class QueueOrderTest {
    private static final Instant MORNING = Instant.parse("2026-11-23T08:00:00Z");

    private static PlatformJob waiting(String id, long priority, int submittedMinute) {
        return new PlatformJob(
                id,
                id,
                "ann",
                "gpu",
                State.WAITING,
                new Size(2, 1),
                1,
                JobPlacement.NONE,
                JobPlacement.NONE,
                priority,
                MORNING.plusSeconds(60L * submittedMinute),
                Optional.empty(),
                JobAnnotation.read("spur", Set.of()),
                Optional.empty(),
                Optional.empty());
    }

    private static Map<String, Long> priorities(List<PlatformJob> inOrderOfThePlan) {
        Map<String, DesiredJob> wants = new LinkedHashMap<>();
        inOrderOfThePlan.forEach(job -> wants.put(job.id(), new DesiredJob.Wait()));
        Map<String, Long> changed = new LinkedHashMap<>();
        for (JobAction action : DesiredStateDiff.differences(
                new DesiredState(1, wants),
                PlatformObservation.of(List.of(), inOrderOfThePlan),
                ControlLevel.PRIORITIZE)) {
            changed.put(action.job(), action.priority());
        }
        return changed;
    }

    @Test
    void equalPrioritiesStayWhereTheOrderOfSubmissionIsThatOfThePlan() {
        assertThat(priorities(List.of(waiting("a", 50, 0), waiting("b", 50, 1), waiting("c", 50, 2))))
                .isEmpty();
    }

    @Test
    void onlyAJobThatWasSubmittedBeforeTheOneAheadOfItFallsBack() {
        assertThat(priorities(List.of(waiting("b", 50, 1), waiting("a", 50, 0), waiting("c", 50, 2))))
                .containsExactly(Map.entry("a", 49L), Map.entry("c", 49L));
    }

    @Test
    void differentPrioritiesArePermuted() {
        assertThat(priorities(List.of(waiting("b", 40, 1), waiting("a", 50, 0))))
                .containsExactly(Map.entry("b", 50L), Map.entry("a", 40L));
    }

    @Test
    void jobsSubmittedAtTheSameTimeAreDrawnApart() {
        assertThat(priorities(List.of(waiting("a", 50, 0), waiting("b", 50, 0))))
                .containsExactly(Map.entry("b", 49L));
    }
}
