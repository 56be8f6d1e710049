package dev.spur.agent.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Texts are written by hand in the format of nvidia-smi, which driver 580 confirmed; slices follow NVIDIA's MIG User
 * Guide.
 */
class NvidiaSmiTest {
    private static final String TWO = """
            0, GPU-1a5c0b7e-0000-1111-2222-333344445555, NVIDIA A100-SXM4-80GB, 81920, Disabled
            1, GPU-2b6d1c8f-0000-1111-2222-333344445555, NVIDIA A100-SXM4-80GB, 81920, Disabled
            """;

    @TempDir
    private Path folder;

    @Test
    void eachGpuIsADeviceUnderItsUuid() {
        NvidiaSmi.Gpus gpus = NvidiaSmi.parse(TWO, "").get(0);

        assertThat(gpus.type()).isEqualTo("NVIDIA-A100-SXM4-80GB");
        assertThat(gpus.devices())
                .containsExactly(
                        new Device(
                                "GPU-1a5c0b7e-0000-1111-2222-333344445555",
                                "GPU-1a5c0b7e-0000-1111-2222-333344445555",
                                80),
                        new Device(
                                "GPU-2b6d1c8f-0000-1111-2222-333344445555",
                                "GPU-2b6d1c8f-0000-1111-2222-333344445555",
                                80));
    }

    /** Printed by driver 580.159.04. */
    @Test
    void anH100IsAType() {
        NvidiaSmi.Gpus gpus = NvidiaSmi.parse(
                        "0, GPU-54e6d91f-71d4-e558-1908-999ccddfb5cd, NVIDIA H100 80GB HBM3, 81559, Disabled\n", "")
                .get(0);

        assertThat(gpus.type()).isEqualTo("NVIDIA-H100-80GB-HBM3");
        assertThat(gpus.devices().get(0).memoryGiB()).isEqualTo(79.65, within(0.01));
    }

    @Test
    void aGpuThatDoesNotTellItsMemoryHasNone() {
        NvidiaSmi.Gpus gpus =
                NvidiaSmi.parse("0, GPU-7, Orin (nvgpu), [N/A], [N/A]\n", "").get(0);

        assertThat(gpus.type()).isEqualTo("Orin-nvgpu-");
        assertThat(gpus.devices().get(0).memoryGiB()).isZero();
    }

    @Nested
    class SlicesOfGpus {
        private static final String CUT = """
                0, GPU-a, NVIDIA A100-SXM4-40GB, 40960, Enabled
                1, GPU-b, NVIDIA A100-SXM4-40GB, 40960, Disabled
                2, GPU-c, NVIDIA A100-SXM4-40GB, 40960, Enabled
                """;
        private static final String LISTED = """
                GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-a)
                  MIG 3g.20gb     Device  0: (UUID: MIG-7089d0f3-293f-58c9-8f8c-5ea666eedbde)
                  MIG 1g.5gb+me   Device  1: (UUID: MIG-56c30729-347f-5dd6-8f3e-cee4fea59dee)
                GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-b)
                GPU 2: NVIDIA A100-SXM4-40GB (UUID: GPU-c)
                  MIG 3g.20gb     Device  0: (UUID: MIG-GPU-c/1/0)
                """;

        @Test
        void areTypesOfTheirOwnBesideWholeGpus() {
            assertThat(NvidiaSmi.parse(CUT, LISTED))
                    .containsExactly(
                            new NvidiaSmi.Gpus("NVIDIA-A100-SXM4-40GB", List.of(new Device("GPU-b", "GPU-b", 40))),
                            new NvidiaSmi.Gpus(
                                    "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb+me",
                                    List.of(slice("MIG-56c30729-347f-5dd6-8f3e-cee4fea59dee", 5, "GPU-a"))),
                            new NvidiaSmi.Gpus(
                                    "NVIDIA-A100-SXM4-40GB-MIG-3g.20gb",
                                    List.of(
                                            slice("MIG-7089d0f3-293f-58c9-8f8c-5ea666eedbde", 20, "GPU-a"),
                                            slice("MIG-GPU-c/1/0", 20, "GPU-c"))));
        }

        private static Device slice(String id, double memoryGiB, String gpu) {
            return new Device(id, id, memoryGiB, gpu);
        }

        @Test
        void areAskedForWhereAGpuIsCut() throws IOException {
            Path smi = folder.resolve("nvidia-smi");
            Files.writeString(
                    smi,
                    "#!/bin/sh\ncase $1 in\n-L) cat <<E\n%sE\n;;\n*) cat <<E\n%sE\n;;\nesac\n".formatted(LISTED, CUT));
            assertThat(smi.toFile().setExecutable(true)).isTrue();

            assertThat(NvidiaSmi.query(smi.toString()))
                    .isEqualTo(NvidiaSmi.parse(CUT, LISTED))
                    .hasSize(3);
        }

        @Test
        void oneTypeOfSeveralIsChosenByItsName() {
            List<NvidiaSmi.Gpus> found = NvidiaSmi.parse(CUT, LISTED);

            Inventory slices = Host.select(found, "NVIDIA-A100-SXM4-40GB-MIG-3g.20gb");

            assertThat(slices.type()).contains("NVIDIA-A100-SXM4-40GB-MIG-3g.20gb");
            assertThat(slices.devices())
                    .extracting(Device::visibleAs)
                    .containsExactly("MIG-7089d0f3-293f-58c9-8f8c-5ea666eedbde", "MIG-GPU-c/1/0");
            assertThatThrownBy(() -> Host.select(found, null))
                    .isInstanceOf(InventoryException.class)
                    .hasMessageContaining(
                            "(NVIDIA-A100-SXM4-40GB, NVIDIA-A100-SXM4-40GB-MIG-1g.5gb+me, NVIDIA-A100-SXM4-40GB-MIG-3g.20gb)")
                    .hasMessageContaining("--type");
            assertThatThrownBy(() -> Host.select(found, "H100"))
                    .isInstanceOf(InventoryException.class)
                    .hasMessageContaining("no devices of type H100");
        }

        @Test
        void ofGpusThatAreCutMustHaveBeenMade() {
            assertThatThrownBy(() -> NvidiaSmi.parse(
                            "0, GPU-a, NVIDIA A100-SXM4-40GB, 40960, Enabled\n",
                            "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-a)\n"))
                    .isInstanceOf(InventoryException.class)
                    .hasMessageContaining("have no slices");
        }
    }

    @Test
    void ofTwoKindsOneIsToBeChosen() {
        List<NvidiaSmi.Gpus> found = NvidiaSmi.parse(TWO + "2, GPU-9, NVIDIA T4, 15360, [N/A]\n", "");

        assertThat(Host.select(found, "NVIDIA-T4").devices())
                .extracting(Device::id)
                .containsExactly("GPU-9");
        assertThatThrownBy(() -> Host.select(found, null))
                .isInstanceOf(InventoryException.class)
                .hasMessageContaining("NVIDIA-A100-SXM4-80GB, NVIDIA-T4");
    }

    @Test
    void aMachineWithoutGpusGetsARemedy() {
        assertThatThrownBy(() -> NvidiaSmi.parse("\n", ""))
                .isInstanceOf(InventoryException.class)
                .hasMessageContaining("--slots");
    }

    @Test
    void whatIsNotUnderstoodIsRefused() {
        assertThatThrownBy(() -> NvidiaSmi.parse("No devices were found\n", ""))
                .isInstanceOf(InventoryException.class)
                .hasMessageContaining("No devices were found");
    }

    @Test
    void memoryOfTheHostIsReadFromTheKernel() throws IOException {
        Path meminfo = Files.writeString(folder.resolve("meminfo"), "MemTotal:       25165824 kB\nMemFree: 1 kB\n");

        assertThat(Host.memoryGiB(meminfo)).isEqualTo(24);
        assertThat(Host.memoryGiB(folder.resolve("missing"))).isZero();
    }

    @Test
    void statedSlotsAreNamedByTheirNode() {
        Inventory inventory = Host.ofSlots("left", 2, "CPU");

        assertThat(inventory.devices()).extracting(Device::id).containsExactly("left/0", "left/1");
        assertThat(inventory.devices()).extracting(Device::visibleAs).containsExactly("0", "1");
        assertThat(inventory.cpus()).isPositive();
    }
}
