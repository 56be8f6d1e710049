package dev.spur.benchmarks.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One snapshot, one seed and one worker give the same plan on every machine. */
class SamePlanTest {
    @Test
    void onOneProcessorInAnotherLanguageAndWithOtherHashes() throws Exception {
        String here = PlanPrinter.plans();

        assertThat(here.lines().count()).as("jobs that run").isGreaterThan(40);
        assertThat(elsewhere(
                        "-XX:ActiveProcessorCount=1",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UnlockExperimentalVMOptions",
                        "-XX:hashCode=2",
                        "-Duser.language=tr",
                        "-Duser.timezone=Pacific/Kiritimati"))
                .isEqualTo(here);
    }

    private static String elsewhere(String... options) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        words.add(ProcessHandle.current().info().command().orElse("java"));
        words.addAll(List.of(options));
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), PlanPrinter.class.getName()));
        Process process = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return output;
    }
}
