package dev.spur.agent.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Texts are written by hand in the format of nvidia-smi. */
class NvidiaSmiTest {
    private static final String TWO = """
            0, GPU-1a5c0b7e-0000-1111-2222-333344445555, NVIDIA A100-SXM4-80GB, 81920, Disabled
            1, GPU-2b6d1c8f-0000-1111-2222-333344445555, NVIDIA A100-SXM4-80GB, 81920, Disabled
            """;

    @TempDir
    private Path folder;

    @Test
    void eachGpuIsADeviceUnderItsUuid() {
        NvidiaSmi.Gpus gpus = NvidiaSmi.parse(TWO);

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

    @Test
    void aGpuThatDoesNotTellItsMemoryHasNone() {
        NvidiaSmi.Gpus gpus = NvidiaSmi.parse("0, GPU-7, Orin (nvgpu), [N/A], [N/A]\n");

        assertThat(gpus.type()).isEqualTo("Orin-nvgpu-");
        assertThat(gpus.devices().get(0).memoryGiB()).isZero();
    }

    @Test
    void slicesAreRefused() {
        assertThatThrownBy(() -> NvidiaSmi.parse("0, GPU-7, NVIDIA A100, 81920, Enabled\n"))
                .isInstanceOf(NoInventory.class)
                .hasMessageContaining("MIG");
    }

    @Test
    void twoKindsAreRefused() {
        assertThatThrownBy(() -> NvidiaSmi.parse(TWO + "2, GPU-9, NVIDIA T4, 15360, [N/A]\n"))
                .isInstanceOf(NoInventory.class)
                .hasMessageContaining("NVIDIA A100-SXM4-80GB, NVIDIA T4");
    }

    @Test
    void aMachineWithoutGpusIsToldWhatToDo() {
        assertThatThrownBy(() -> NvidiaSmi.parse("\n"))
                .isInstanceOf(NoInventory.class)
                .hasMessageContaining("--slots");
    }

    @Test
    void whatIsNotUnderstoodIsRefused() {
        assertThatThrownBy(() -> NvidiaSmi.parse("No devices were found\n"))
                .isInstanceOf(NoInventory.class)
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
        Inventory inventory = Host.stated("left", 2, "CPU");

        assertThat(inventory.devices()).extracting(Device::id).containsExactly("left/0", "left/1");
        assertThat(inventory.devices()).extracting(Device::visibleAs).containsExactly("0", "1");
        assertThat(inventory.cpus()).isPositive();
    }
}
