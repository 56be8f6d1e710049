package dev.spur.model.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FairShareTest {
    private static final FairShareSettings DAY = new FairShareSettings(86_400.0, 1);
    private static final List<Tenant> TREE = List.of(
            tenant("root", null, 1),
            tenant("a", "root", 3),
            tenant("b", "root", 1),
            tenant("a1", "a", 1),
            tenant("a2", "a", 1));

    private static Tenant tenant(String name, String parent, double weight) {
        return new Tenant(name, parent, weight, Map.of());
    }

    private static FairShare used(FairShareSettings settings, PastUsage... usage) {
        return new FairShare(TREE, List.of(usage), settings);
    }

    @Nested
    class TheFactor {
        @Test
        void isOneForAllTenantsBeforeAnyUse() {
            assertThat(TREE)
                    .allSatisfy(tenant ->
                            assertThat(used(DAY).of(tenant.name()).factor()).isEqualTo(1));
        }

        @Test
        void isOneForAllWhereThePastDoesNotCount() {
            FairShare off = used(FairShareSettings.OFF, new PastUsage("b", 1000));

            assertThat(off.of("b").factor()).isEqualTo(1);
            assertThat(off.weightOf("a1")).isEqualTo(3);
        }

        @Test
        void isOneForWhoHasUsedItsShare() {
            FairShare even = used(DAY, new PastUsage("a1", 150), new PastUsage("a2", 150), new PastUsage("b", 100));

            assertThat(even.of("a2")).isEqualTo(new FairShare.TenantShare(0.5, 0.5, 1));
            assertThat(even.of("b")).isEqualTo(new FairShare.TenantShare(0.25, 0.25, 1));
        }

        @ParameterizedTest
        @CsvSource({"50, 1, 1", "100, 1, 0.125", "100, 0, 1", "0, 1, 2", "0, 2, 4"})
        void fallsWithWhatWasUsedBeyondIt(double b, double strength, double factor) {
            FairShare fairShare = new FairShare(
                    List.of(tenant("b", null, 1), tenant("c", null, 1), tenant("d", null, 2)),
                    List.of(
                            new PastUsage("b", b),
                            new PastUsage("c", 0),
                            new PastUsage("d", b == 50 ? 150 : b == 0 ? 9 : 0)),
                    new FairShareSettings(60.0, strength));

            assertThat(fairShare.of("b").factor()).isCloseTo(factor, within(1e-12));
        }

        @Test
        void isBoundedForSmallShares() {
            FairShare tiny = new FairShare(
                    List.of(tenant("b", null, 0.001), tenant("c", null, 1)), List.of(new PastUsage("b", 5)), DAY);

            assertThat(tiny.of("b").factor()).isEqualTo(0.125);
            assertThat(tiny.of("c").factor()).isEqualTo(2);
        }

        @Test
        void isTheProductOfAllLevelsAndCountsWhoIsBelow() {
            FairShare greedy = used(DAY, new PastUsage("a1", 90), new PastUsage("b", 30));

            assertThat(greedy.of("a").factor())
                    .as("a has 3/4 of the weight and of the use")
                    .isEqualTo(1);
            assertThat(greedy.of("a1").factor()).isEqualTo(0.5);
            assertThat(greedy.of("a2").factor()).isEqualTo(2);
            assertThat(greedy.weightOf("a2")).isEqualTo(6);
            FairShare more = used(DAY, new PastUsage("a1", 300), new PastUsage("b", 0));
            assertThat(more.of("a1").factor()).isCloseTo(Math.pow(2, 1 - 4 / 3.0) * 0.5, within(1e-12));
        }
    }

    @Nested
    class WhatWasUsed {
        @Test
        void losesHalfInAHalfLife() {
            assertThat(DAY.decay(86_400)).isEqualTo(0.5);
            assertThat(DAY.decay(0)).isEqualTo(1);
            assertThat(FairShareSettings.OFF.decay(86_400)).isEqualTo(1);
        }

        @Test
        void isTheSameWhetherCountedAtOnceOrInSteps() {
            double atOnce = DAY.decayedUsage(4, 5000);
            double inSteps = DAY.decayedUsage(4, 2000) * DAY.decay(3000) + DAY.decayedUsage(4, 3000);

            assertThat(inSteps).isCloseTo(atOnce, within(1e-6));
            assertThat(DAY.decayedUsage(4, 60)).isCloseTo(240, within(0.1));
            assertThat(DAY.decayedUsage(1, 1e9)).isCloseTo(86_400 / Math.log(2), within(1e-6));
        }
    }

    @Test
    void settingsAreInTheirRanges() {
        assertThatThrownBy(() -> new FairShareSettings(0.0, 1)).hasMessageContaining("halfLifeSeconds");
        assertThatThrownBy(() -> new FairShareSettings(60.0, -1)).hasMessageContaining("strength");
        assertThatThrownBy(() -> new PastUsage("a", -1)).hasMessageContaining("slotSeconds");
    }
}
