package dev.spur.model.whatif;

import static dev.spur.model.PreparationFixture.preparation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.spur.model.Problems;
import dev.spur.model.dataprep.Preparation;
import dev.spur.model.dataprep.PreparationSpec;
import dev.spur.model.round.RoundProblem;
import dev.spur.model.validation.Violation;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Changes of jobs that prepare data. */
class PreparationChangesTest {
    private static final PreparationSpec SPEC =
            preparation("like").seconds(600).build().spec();
    private static final RoundProblem PROBLEM = Problems.problem(
                    List.of(Problems.node("n1", 4)), List.of(Problems.job("waits", 1, 4)))
            .withPreparations(List.of(
                    preparation("runs").on("n1", 32).build(),
                    preparation("data").build()));
    private static final WithheldJobs HELD = new WithheldJobs(
            List.of(Problems.job("awaiting", 1, 4)),
            List.of(preparation("held").arrival(1000).build()));

    private static List<Preparation> after(Change change) {
        return change.applyTo(PROBLEM, HELD).preparations();
    }

    private static List<Violation> violations(Change... changes) {
        return Changes.apply(PROBLEM, HELD, List.of(changes)).violations();
    }

    @Nested
    class OneMore {
        @Test
        void arrivesNowWithAllOfItsWorkBeforeIt() {
            assertThat(after(new AddPreparation("more", "root", SPEC)))
                    .hasSize(3)
                    .last()
                    .isEqualTo(Preparation.of("more", "root", PROBLEM.now(), SPEC, 600, null));
        }

        @Test
        void hasAnIdThatNothingElseHasAndATenantThatThereIs() {
            assertThat(violations(
                            new AddPreparation("data", "nobody", SPEC),
                            new AddPreparation("waits", "root", SPEC),
                            new AddPreparation("held", "root", SPEC),
                            new AddPreparation("awaiting", "root", SPEC)))
                    .extracting(Violation::subject, Violation::message)
                    .containsExactly(
                            tuple("/changes/0/preparation", "preparation data already exists"),
                            tuple("/changes/0/tenant", "tenant nobody does not exist"),
                            tuple("/changes/1/preparation", "job waits already exists"),
                            tuple("/changes/2/preparation", "preparation held already exists"),
                            tuple("/changes/3/preparation", "job awaiting already exists"));
        }
    }

    @Nested
    class OneLess {
        @Test
        void isGoneWhetherItRunsOrWaits() {
            assertThat(after(new RemoveJob("runs"))).extracting(Preparation::id).containsExactly("data");
            assertThat(after(new RemoveJob("data"))).extracting(Preparation::id).containsExactly("runs");
        }

        @Test
        void isOneThatTakesPart() {
            assertThat(violations(new RemoveJob("nobody"), new RemoveJob("held")))
                    .extracting(Violation::message)
                    .containsExactly(
                            "job nobody does not exist or has ended",
                            "job held is withheld from scheduling; release it first");
        }
    }

    @Nested
    class ARelease {
        @Test
        void offersWhatIsHeldBack() {
            assertThat(after(new ReleaseHold("held")))
                    .hasSize(3)
                    .last()
                    .isEqualTo(HELD.preparations().get(0));
        }

        @Test
        void isOfOneThatIsHeldBackAndOnce() {
            assertThat(violations(new ReleaseHold("data"), new ReleaseHold("held"), new ReleaseHold("held")))
                    .extracting(Violation::subject)
                    .containsExactly("/changes/0/job", "/changes/2/job");
        }

        @Test
        void letsWhatIsReleasedBeChanged() {
            assertThat(violations(new ReleaseHold("held"), new RemoveJob("held")))
                    .isEmpty();
            assertThat(violations(new ReleaseHold("awaiting"), new SetWeight("awaiting", 2)))
                    .isEmpty();
        }
    }
}
