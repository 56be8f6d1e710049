package dev.spur.connectors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.connectors.PlatformNode;
import dev.spur.connectors.PlatformNode.Condition;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Nodes as GPU Feature Discovery and device plugins label them. */
class KubernetesNodeReaderTest {
    private static PlatformNode node(String labels, String allocatable, String more) {
        String json = """
                {"metadata": {"name": "n1", "labels": {"spur.dev/pool": "gpu", "kubernetes.io/hostname": "n1"%s}},
                 "spec": {%s}, "status": {"allocatable": {"cpu": "15800m", "memory": "65011712Ki"%s},
                 "conditions": [{"type": "MemoryPressure", "status": "False"}, {"type": "Ready", "status": "%s"}]}}
                """.formatted(
                        labels,
                        more.equals("cordoned") ? "\"unschedulable\": true" : "",
                        allocatable,
                        more.equals("cordoned") || more.isEmpty() ? "True" : more);
        return new KubernetesNodeReader(MockApiServerFixture.settings("spur.dev/pool"))
                .read(JsonMapper.shared().readTree(json), NodeUsage.NONE, Optional.empty())
                .orElseThrow();
    }

    private static final String H100 =
            ", \"nvidia.com/gpu.product\": \"NVIDIA-H100-80GB-HBM3\", \"nvidia.com/gpu.count\": \"8\"";
    private static final String EIGHT = ", \"nvidia.com/gpu\": \"8\"";

    @Test
    void hasTheGpusThatCanBeAllocated() {
        PlatformNode node = node(H100, EIGHT, "");

        assertThat(node.acceleratorType()).isEqualTo("NVIDIA-H100-80GB-HBM3");
        assertThat(node.slots()).isEqualTo(8);
        assertThat(node.cpus()).isEqualTo(15.8);
        assertThat(node.memoryGiB()).isEqualTo(62);
        assertThat(node.notes()).isEmpty();
    }

    @Test
    void hasTheRackAndTheBlockOfItsLabels() {
        PlatformNode node = node(
                H100 + ", \"topology.kubernetes.io/rack\": \"r1\", \"topology.kubernetes.io/block\": \"b1\"",
                EIGHT,
                "");

        assertThat(node.rack()).isEqualTo("r1");
        assertThat(node.block()).isEqualTo("b1");
        assertThat(node(H100, EIGHT, "").rack()).isNull();
    }

    @Test
    void ofAmdIsLabelledOtherwise() {
        PlatformNode node =
                node(", \"amd.com/gpu.product-name\": \"AMD_Instinct_MI300X_OAM\"", ", \"amd.com/gpu\": \"4\"", "");

        assertThat(node.acceleratorType()).isEqualTo("AMD_Instinct_MI300X_OAM");
        assertThat(node.slots()).isEqualTo(4);
    }

    @Test
    void withoutThePoolLabelIsNoneOfSpurs() {
        assertThat(new KubernetesNodeReader(MockApiServerFixture.settings("other"))
                        .read(JsonMapper.shared().readTree("""
                        {"metadata": {"name": "n1", "labels": {"spur.dev/pool": "gpu"}}}"""), NodeUsage.NONE, Optional.empty()))
                .isEmpty();
    }

    @Test
    void hasSharesOfGpusAsSlotsOfTheirOwnType() {
        String product = ", \"nvidia.com/gpu.product\": \"Tesla-T4-SHARED\"";
        PlatformNode node = node(product + ", \"nvidia.com/gpu.replicas\": \"4\"", ", \"nvidia.com/gpu\": \"32\"", "");

        assertThat(node.acceleratorType()).isEqualTo("Tesla-T4-SHARED-4");
        assertThat(node.slots()).isEqualTo(32);
        assertThat(node.hasShares()).isTrue();
        assertThat(node.notes()).isEmpty();
        assertThat(node(product + ", \"nvidia.com/gpu.replicas\": \"1\"", EIGHT, "")
                        .hasShares())
                .isFalse();
    }

    @Nested
    class WhatItCannotSayToSpur {
        @Test
        void areSharesUnderAnotherName() {
            PlatformNode node =
                    node(H100 + ", \"nvidia.com/gpu.replicas\": \"4\"", ", \"nvidia.com/gpu.shared\": \"32\"", "");

            assertThat(node.slots()).isZero();
            assertThat(node.notes()).singleElement().asString().contains("renameByDefault");
        }

        @Test
        void arePartsOfGpus() {
            PlatformNode node = node(H100, ", \"nvidia.com/gpu\": \"6\", \"nvidia.com/mig-1g.10gb\": \"14\"", "");

            assertThat(node.slots()).isEqualTo(6);
            assertThat(node.notes()).singleElement().asString().contains("14").contains("mig-1g.10gb");
        }

        @Test
        void areGpusOfTwoMakers() {
            PlatformNode node = node(H100, EIGHT + ", \"amd.com/gpu\": \"4\"", "");

            assertThat(node.slots()).isZero();
            assertThat(node.notes()).singleElement().asString().contains("different vendors");
        }
    }

    @Test
    void isClosedWhenItIsCordonedOrNotReady() {
        assertThat(node(H100, EIGHT, "").condition()).isEqualTo(Condition.OPEN);
        assertThat(node(H100, EIGHT, "cordoned").condition()).isEqualTo(Condition.CLOSED);
        assertThat(node(H100, EIGHT, "False").condition()).isEqualTo(Condition.CLOSED);
        assertThat(node(H100, EIGHT, "Unknown").condition()).isEqualTo(Condition.CLOSED);
    }
}
