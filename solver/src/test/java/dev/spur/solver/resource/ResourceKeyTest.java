package dev.spur.solver.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.model.job.HostDemand;
import dev.spur.solver.candidate.NodeClassName;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResourceKeyTest {
    private static final NodeClassName ONLY = new NodeClassName("main", "A100", null);
    private static final NodeClassName ONE_OF_TWO = new NodeClassName("main", "A100", "n3");

    @Test
    void aNameIsThatOfTheApi() {
        assertThat(new ResourceKey.Slots(ONLY)).hasToString("slots:main/A100");
        assertThat(new ResourceKey.Slots(ONE_OF_TWO)).hasToString("slots:main/A100 (nodes like n3)");
        assertThat(new ResourceKey.NodePieces(ONE_OF_TWO, new NodeShareKind(4, new HostDemand(2, 7.5))))
                .hasToString("pieces:main/A100 (nodes like n3) of 4 with 2.0 CPUs and 7.5 GiB each");
        assertThat(new ResourceKey.HostCpus(ONLY)).hasToString("cpus:main/A100");
        assertThat(new ResourceKey.HostMemory(ONE_OF_TWO)).hasToString("memory:main/A100 (nodes like n3)");
        assertThat(new ResourceKey.Aggregation("main")).hasToString("aggregation:main");
        assertThat(new ResourceKey.QuotaSlots("tenants below root", "A100"))
                .hasToString("quota:tenants below root/A100");
        assertThat(new ResourceKey.QuotaClaim("a", "A100")).hasToString("claim:a/A100");
        assertThat(new ResourceKey.GroupSlots("g")).hasToString("group-slots:g");
        assertThat(new ResourceKey.GroupJobs("g")).hasToString("group-jobs:g");
        assertThat(new ResourceKey.Restarts()).hasToString("restarts");
    }

    @Test
    void classesOfEqualPoolAndTypeAreDistinct() {
        assertThat(new ResourceKey.Slots(ONLY))
                .isEqualTo(new ResourceKey.Slots(new NodeClassName("main", "A100", null)))
                .isNotEqualTo(new ResourceKey.Slots(ONE_OF_TWO));
        assertThat(new ResourceKey.Slots(ONE_OF_TWO))
                .isNotEqualTo(new ResourceKey.Slots(new NodeClassName("main", "A100", "n5")));
    }

    @Test
    void pricesAreNamedByToString() {
        assertThat(ResourceKey.byName(Map.of(new ResourceKey.Restarts(), 0.5, new ResourceKey.GroupJobs("g"), 2.0)))
                .isEqualTo(Map.of("restarts", 0.5, "group-jobs:g", 2.0));
    }
}
