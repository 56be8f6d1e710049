package dev.spur.solver.explain;

import static dev.spur.model.NodeFixture.node;
import static dev.spur.model.ProblemFixture.problem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.round.ShadowPrice;
import dev.spur.solver.candidate.NodeClassName;
import dev.spur.solver.resource.DualPrice;
import dev.spur.solver.resource.ResourceKey;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReportedPricesTest {
    private static final NodeClassName A = new NodeClassName("main", "A100", "a");
    private static final NodeClassName B = new NodeClassName("main", "A100", "b");

    /** Two classes of nodes of one pool and type, and two groups of which one name begins with the other. */
    private static final ReportedPrices PRICES = prices(
            new ResourceKey.Slots(A),
            new ResourceKey.Slots(B),
            new ResourceKey.HostCpus(B),
            new ResourceKey.GroupSlots("g"),
            new ResourceKey.GroupSlots("g (nodes like a)"));

    private static ReportedPrices prices(ResourceKey.Reported... keys) {
        List<DualPrice> prices =
                Stream.of(keys).map(reported -> new DualPrice(reported, 1, 1)).toList();
        return new ReportedPrices(
                ShadowPriceMessages.of(prices, 1),
                problem()
                        .node(node("a", 4))
                        .node(node("b", 8))
                        .node(node("c", 8).type("V100"))
                        .build()
                        .nodes());
    }

    @Test
    void aPriceIsFoundByTheCompleteName() {
        assertThat(PRICES.of("group-slots:g")).extracting(ShadowPrice::resource).containsExactly("group-slots:g");
        assertThat(PRICES.of(new ResourceKey.GroupSlots("g"))).isPresent();
        assertThat(PRICES.of("group-slots:")).isEmpty();
        assertThat(PRICES.of("slots:main/V100")).isEmpty();
    }

    @Test
    void slotsOfAPoolAndTypeHaveThePricesOfAllItsClasses() {
        assertThat(PRICES.of("slots:main/A100"))
                .extracting(ShadowPrice::resource)
                .containsExactly("slots:main/A100 (nodes like a)", "slots:main/A100 (nodes like b)");
        assertThat(prices(new ResourceKey.Slots(new NodeClassName("main", "A100", null)))
                        .of("slots:main/A100"))
                .hasSize(1);
    }

    @Test
    void hostsHaveThePricesOfTheClassesThatCouldBeShort() {
        assertThat(PRICES.of(new NodeClassName("main", "A100", null), ResourceKey.HostCpus::new))
                .extracting(ShadowPrice::resource)
                .containsExactly("cpus:main/A100 (nodes like b)");
        assertThat(PRICES.of(new NodeClassName("main", "V100", null), ResourceKey.HostCpus::new))
                .isEmpty();
    }
}
