package dev.spur.model.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.spur.model.json.RoundJson;
import java.util.List;
import org.junit.jupiter.api.Test;

class ElasticityTest {
    private static Elasticity of(int min, int max, boolean powersOfTwo, Integer... counts) {
        return new Elasticity(List.of(), List.of(), min, max, powersOfTwo, List.of(counts), null, false);
    }

    @Test
    void allCountsWithinTheLimitsAreAllowed() {
        assertThat(of(2, 5, false).counts(100)).containsExactly(2, 3, 4, 5);
        assertThat(of(2, 5, false).counts(3)).containsExactly(2, 3);
        assertThat(of(2, 5, false).counts(1)).isEmpty();
    }

    @Test
    void aRigidJobIsReadAsItIsWritten() {
        Elasticity rigid = of(2, 2, false);

        String text = RoundJson.mapper().writeValueAsString(rigid);

        assertThat(RoundJson.mapper().readValue(text, Elasticity.class)).isEqualTo(rigid);
    }

    @Test
    void onlyPowersOfTwoIfThatIsAsked() {
        assertThat(of(1, 9, true).counts(100)).containsExactly(1, 2, 4, 8);
        assertThat(of(3, 3, true).counts(100)).isEmpty();
    }

    @Test
    void onlyTheStatedCountsWithinTheLimits() {
        assertThat(of(2, 6, false, 8, 6, 1, 3, 3).counts(100)).containsExactly(3, 6);
        assertThat(of(1, 8, true, 3, 4).counts(100)).containsExactly(4);
    }

    @Test
    void theFewestCountIsFoundWithoutLookingAtAll() {
        assertThat(of(3, 1_000_000_000, true).minCount()).hasValue(4);
        assertThat(of(3, 1_000_000_000, false, 7, 5, 2).minCount()).hasValue(5);
        assertThat(of(3, 1_000_000_000, false).minCount()).hasValue(3);
        assertThat(of(3, 3, true).minCount()).isEmpty();
        assertThat(of(3, 6, false, 2, 7).minCount()).isEmpty();
    }

    @Test
    void emptyListsAllowEverything() {
        Elasticity any = Elasticity.between(1, 2);

        assertThat(any.allowsType("A100")).isTrue();
        assertThat(any.allowsPool("main")).isTrue();
        assertThat(any.allowsNodes(1000)).isTrue();
    }

    @Test
    void listsAllowWhatTheyName() {
        Elasticity some = new Elasticity(List.of("A100"), List.of("main"), 1, 4, false, List.of(), 2, false);

        assertThat(some.allowsType("A100")).isTrue();
        assertThat(some.allowsType("V100")).isFalse();
        assertThat(some.allowsPool("side")).isFalse();
        assertThat(some.allowsNodes(2)).isTrue();
        assertThat(some.allowsNodes(3)).isFalse();
    }

    @Test
    void impossibleLimitsAreRefused() {
        assertThatThrownBy(() -> of(0, 4, false)).hasMessageContaining("minSlots (0)");
        assertThatThrownBy(() -> of(5, 4, false)).hasMessageContaining("maxSlots (4)");
        assertThatThrownBy(() -> new Elasticity(List.of(), List.of(), 1, 1, false, List.of(), 0, false))
                .hasMessageContaining("maxNodes (0)");
    }
}
