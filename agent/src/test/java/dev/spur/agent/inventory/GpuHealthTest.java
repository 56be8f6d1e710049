package dev.spur.agent.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With programs that print what nvidia-smi and dmesg would; formats are those of NVIDIA's manuals. */
class GpuHealthTest {
    private static final String FINE = """
            GPU-a, 00000000:3B:00.0, 0
            GPU-b, 00000000:D8:00.0, [N/A]
            """;

    @TempDir
    private Path folder;

    private final List<String> log = new ArrayList<>();
    private long nanos;
    private GpuHealth health;
    private GpuHealth.Programs programs;

    @BeforeEach
    void twoGpus() throws IOException {
        errors(FINE);
        rows("GPU-a, 0\nGPU-b, [N/A]\n");
        kernel("[    1.000000] Linux version 6.8.0\n");
        // the file says how each query ends: status, then what is printed
        Path smi = program("nvidia-smi", """
                #!/bin/sh
                case "$*" in
                *-i*) file=%1$s/$(echo "$*" | sed 's/.*-i //') ;;
                *query-remapped-rows*) file=%1$s/rows ;;
                -L) file=%1$s/list ;;
                *) file=%1$s/errors ;;
                esac
                [ -e "$file" ] || exit 3
                tail -n +2 "$file"
                exit "$(head -n 1 "$file")"
                """.formatted(folder));
        Path dmesg = program("dmesg", "#!/bin/sh\n[ -e %1$s/kernel ] && cat %1$s/kernel\n".formatted(folder));
        programs = new GpuHealth.Programs(smi.toString(), dmesg.toString());
        health = new GpuHealth(
                List.of(new Device("GPU-a", "GPU-a", 80), new Device("GPU-b", "GPU-b", 80)),
                programs,
                () -> nanos,
                log::add);
    }

    private Path program(String name, String script) throws IOException {
        Path program = Files.writeString(folder.resolve(name), script);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    private void answer(String query, int status, String text) throws IOException {
        Files.writeString(folder.resolve(query), status + "\n" + text);
    }

    private void errors(String text) throws IOException {
        answer("errors", 0, text);
    }

    private void rows(String text) throws IOException {
        answer("rows", 0, text);
    }

    private void kernel(String text) throws IOException {
        Files.writeString(folder.resolve("kernel"), text);
    }

    /** What is said a quarter of a minute later. */
    private Optional<Map<String, String>> later() {
        nanos += TimeUnit.SECONDS.toNanos(15);
        return health.failures();
    }

    @Test
    void nothingIsWrongWithGpusThatAreThereAndSayNothing() {
        assertThat(health.failures()).contains(Map.of());
        assertThat(log).isEmpty();
    }

    @Nested
    class AGpu {
        @Test
        void thatIsNotListedIsGone() throws IOException {
            errors("GPU-a, 00000000:3B:00.0, 0\n");

            assertThat(health.failures().orElseThrow()).containsOnlyKeys("GPU-b");
        }

        @Test
        void thatMakesTheQueryFailIsFoundByAskingForEach() throws IOException {
            answer("errors", 15, "");
            answer("GPU-a", 0, "GPU-a, 00000000:3B:00.0, 0\n");
            answer("GPU-b", 15, "");

            assertThat(health.failures().orElseThrow()).containsOnlyKeys("GPU-b");
        }

        @Test
        void thatHasARowWhichCouldNotBeRemappedIsNotHealthy() throws IOException {
            rows("GPU-a, Yes\nGPU-b, No\n");
            assertThat(health.failures().orElseThrow()).containsOnlyKeys("GPU-a");

            rows("GPU-a, 0\nGPU-b, 1\n");
            assertThat(later().orElseThrow()).containsOnlyKeys("GPU-b");
        }

        @Test
        void isNotHealthyForAMinuteAfterAnErrorOfItsMemory() throws IOException {
            errors(FINE.replace(":00.0, 0", ":00.0, 2"));
            assertThat(health.failures()).as("errors of before the agent").contains(Map.of());

            errors(FINE.replace(":00.0, 0", ":00.0, 3"));
            assertThat(later().orElseThrow()).containsEntry("GPU-a", "1 uncorrected memory errors");
            later();
            later();
            assertThat(later().orElseThrow()).containsKey("GPU-a");
            assertThat(later()).contains(Map.of());
        }

        @Test
        void isNotHealthyAfterASeriousErrorInTheLogOfTheKernel() throws IOException {
            String before = "[   10.000000] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.\n";
            kernel(before);
            assertThat(health.failures()).as("of before the agent").contains(Map.of());

            kernel(before + "[   20.500000] NVRM: Xid (PCI:0000:d8:00): 13, pid=7, Graphics Exception\n");
            assertThat(later()).as("the job's own").contains(Map.of());
            kernel(before + "[   30.250000] NVRM: Xid (PCI:0000:d8:00): 95, pid=7, Uncontained\n");

            assertThat(later().orElseThrow()).containsEntry("GPU-b", "Xid 95");
        }
    }

    @Nested
    class ASlice {
        private static final String BOTH = """
                GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-a)
                  MIG 3g.20gb     Device  0: (UUID: MIG-a0)
                  MIG 3g.20gb     Device  1: (UUID: MIG-a1)
                GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-b)
                  MIG 3g.20gb     Device  0: (UUID: MIG-b0)
                """;

        @BeforeEach
        void ofTheGpus() throws IOException {
            answer("list", 0, BOTH);
            health = new GpuHealth(
                    List.of(slice("MIG-a0", "GPU-a"), slice("MIG-a1", "GPU-a"), slice("MIG-b0", "GPU-b")),
                    programs,
                    () -> nanos,
                    log::add);
        }

        private static Device slice(String id, String gpu) {
            return new Device(id, id, 20, gpu);
        }

        @Test
        void doesAsItsGpuDoes() throws IOException {
            assertThat(health.failures()).contains(Map.of());

            rows("GPU-a, Yes\nGPU-b, 0\n");

            assertThat(later().orElseThrow()).containsOnlyKeys("MIG-a0", "MIG-a1");
        }

        @Test
        void thatIsNotListedIsGone() throws IOException {
            answer("list", 0, BOTH.replace("MIG-a1", "MIG-a7"));

            assertThat(health.failures().orElseThrow()).containsOnlyKeys("MIG-a1");
        }

        @Test
        void isNotSaidToBeGoneByAListThatFails() throws IOException {
            answer("list", 9, "");

            assertThat(health.failures()).contains(Map.of());
        }
    }

    @Nested
    class Silence {
        @Test
        void saysNothingOfAnyGpu() throws IOException {
            answer("errors", 9, "");

            assertThat(health.failures()).isEmpty();
            later();
            assertThat(log).hasSize(1);
            errors(FINE);
            assertThat(later()).contains(Map.of());
        }

        @Test
        void ofTheKernelOrOfRowsIsNoComplaint() throws IOException {
            Files.delete(folder.resolve("kernel"));
            Files.delete(folder.resolve("rows"));

            assertThat(health.failures()).contains(Map.of());
            later();
            assertThat(log).hasSize(1);
        }

        @Test
        void isKeptBetweenLooks() throws IOException {
            health.failures();
            errors("GPU-a, 00000000:3B:00.0, 0\n");

            assertThat(health.failures()).contains(Map.of());
            assertThat(later().orElseThrow()).containsKey("GPU-b");
        }
    }
}
