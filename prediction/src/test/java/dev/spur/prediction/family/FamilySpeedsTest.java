package dev.spur.prediction.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.spur.model.json.RoundJson;
import dev.spur.model.performance.SyncStrategy;
import dev.spur.prediction.online.LearnedSpeed;
import dev.spur.prediction.online.SpeedReport;
import dev.spur.prediction.speed.PredictiveDistribution;
import dev.spur.prediction.speed.StepObservation;
import dev.spur.prediction.speed.StepShape;
import dev.spur.prediction.speed.TypedObservation;
import java.util.List;
import org.junit.jupiter.api.Test;

class FamilySpeedsTest {
    private static final StepShape SHAPE = StepShape.allReduce(4, 1, 32);

    @Test
    void theSameShapeIsTheMeanOfItsJobs() {
        FamilySpeeds speeds =
                FamilySpeeds.unknown("net").learn(seen("A", SHAPE, 1)).learn(seen("A", SHAPE, 4));

        assertThat(speeds.steps()).hasSize(1);
        assertThat(speeds.steps().get(0).stepSeconds()).isEqualTo(2, within(1e-9));
    }

    @Test
    void newSoftwareShowsHoweverManyJobsThereWereBefore() {
        FamilySpeeds speeds = FamilySpeeds.unknown("net");
        for (int job = 0; job < 1000; job++) {
            speeds = speeds.learn(seen("A", SHAPE, 4));
        }
        for (int job = 0; job < 30; job++) {
            speeds = speeds.learn(seen("A", SHAPE, 1));
        }

        assertThat(speeds.steps().get(0).stepSeconds()).isLessThan(1.2);
    }

    @Test
    void shapesOfATypeAreBoundedAndTheOldestGoFirst() {
        FamilySpeeds speeds = FamilySpeeds.unknown("net").learn(seen("B", SHAPE, 1));
        for (int slots = 1; slots <= 100; slots++) {
            speeds = speeds.learn(seen("A", StepShape.allReduce(slots, 1, 32), 1));
        }

        assertThat(speeds.steps()).hasSize(FamilySpeeds.MAX_STEPS + 1);
        assertThat(speeds.observations("A", SyncStrategy.ALL_REDUCE))
                .noneMatch(o -> o.shape().slots() == 1)
                .anyMatch(o -> o.shape().slots() == 100);
    }

    @Test
    void bothKindsOfStateSurviveAsJson() throws Exception {
        FamilySpeeds speeds = FamilySpeeds.unknown("net").learn(seen("A", SHAPE, 1));
        LearnedSpeed learned = LearnedSpeed.NOTHING
                .observe(new SpeedReport("A", SHAPE, 1, 10, 1), 1.0)
                .learned()
                .observe(new SpeedReport("A", SHAPE, 2, 10, 1), 1.0)
                .learned();

        assertThat(RoundJson.mapper().readValue(RoundJson.mapper().writeValueAsString(speeds), FamilySpeeds.class))
                .isEqualTo(speeds);
        assertThat(RoundJson.mapper().readValue(RoundJson.mapper().writeValueAsString(learned), LearnedSpeed.class))
                .isEqualTo(learned);
    }

    @Test
    void aFamilyThatRanOnATypePredictsItsSpeed() {
        Families families = new Families(List.of(FamilySpeeds.unknown("net").learn(seen("A", SHAPE, 2))));

        PredictiveDistribution distribution =
                families.prior("net", "A", SyncStrategy.ALL_REDUCE).forecast(SyncStrategy.ALL_REDUCE);

        assertThat(distribution.stepSeconds(SHAPE)).isBetween(1.6, 2.4);
        assertThat(families.prior("net", "B", SyncStrategy.ALL_REDUCE).isEmpty())
                .isTrue();
    }

    @Test
    void twoFamiliesOfOneNameAreRefused() {
        assertThatThrownBy(() -> new Families(List.of(FamilySpeeds.unknown("net"), FamilySpeeds.unknown("net"))))
                .hasMessageContaining("net");
    }

    private static List<TypedObservation> seen(String type, StepShape shape, double seconds) {
        return List.of(new TypedObservation(type, StepObservation.of(shape, seconds)));
    }
}
