package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.service.database.postgres.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The PyTorch tutorial as written, with a service that requires tokens and an agent. Only its folder differs, and its
 * virtual environment is the Python of the machine.
 */
@Tag("training")
class TutorialTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w+)\n(.*?)^```");
    private static final String FOLDER = "/tmp/spur-tutorial";

    @TempDir
    private Path folder;

    private final Map<String, String> environment = new HashMap<>();
    private Path program;
    private String page;

    @Test
    void trainsTwoJobsWithTheCommandsOfThePage() throws Exception {
        String python = ReconfiguredTrainingTest.pythonWithTorch().orElse("");
        assumeTrue(!python.isEmpty(), "no python3 has torch: apt-get install python3-torch");
        page = Files.readString(ROOT.resolve("docs/getting-started/tutorial-pytorch.md"))
                .replace(FOLDER, folder.toString());
        program = SpurProcess.frontDoor(folder);
        writeFiles(python);
        try (var database = TestDatabase.migrated()) {
            Map<String, String> settings = new HashMap<>(database.environment());
            settings.put("SPUR_SECURITY_MODE", "token");
            try (var service = SpurProcess.start(settings, "serve", "--port", "0")) {
                String token = service.awaitLine("shown only once").replaceAll(".*(spur_\\S+).*", "$1");
                String ready = service.awaitLine("Spur is ready");
                environment.put("SPUR_URL", ready.replaceAll(".*(http://\\S+).*", "$1"));
                environment.put("SPUR_TOKEN", token);
                environment.put("SPUR_HOME", folder.resolve("home").toString());
                try (var agent = SpurProcess.start(environment, "agent", "--slots", "2", "--type", "cpu")) {
                    agent.awaitLine("registered");
                    replay();
                } catch (AssertionError | IllegalStateException failure) {
                    throw new AssertionError(String.join("\n", service.lines()), failure);
                }
            }
        }
    }

    private void replay() throws Exception {
        List<String> first = block("./spur submit");
        assertThat(first).contains("./spur why mlp", "./spur logs mlp");
        for (String command : first) {
            if (command.equals("./spur logs mlp")) {
                TrainingSite.await("output", () -> run(command).contains("epoch 0 loss 0."));
            } else {
                run(command);
            }
        }
        List<String> second = block("./spur submit --name second");
        second.forEach(this::run);
        assertThat(run("./spur jobs")).containsPattern("second +\\S+ +(SUBMITTED|WAITING|RUNNING) +[-1]");
        TrainingSite.await(
                "the start of the second job",
                () -> run("./spur jobs --state running").contains("second"));

        String cancel = block("./spur cancel second").get(0);
        assertThat(run(cancel)).contains("second");
        TrainingSite.await("its end", () -> !run("./spur jobs").contains("second"));
        run("./spur cancel mlp");
        assertThat(run("./spur events mlp")).contains("STARTED", "slots=1");
        TrainingSite.await("the end of all processes", () -> !run("./spur jobs").contains("mlp"));
    }

    private void writeFiles(String python) throws IOException {
        Files.writeString(folder.resolve("train.py"), blocks("python").get(0));
        Files.writeString(folder.resolve("job.yaml"), blocks("yaml").get(0));
        Path bin = Files.createDirectories(folder.resolve("venv/bin"));
        Path interpreter = Files.writeString(
                bin.resolve("python"),
                "#!/bin/sh\nPYTHONPATH='%s' exec %s \"$@\"\n".formatted(ROOT.resolve("python"), python));
        assertThat(interpreter.toFile().setExecutable(true)).isTrue();
    }

    private List<String> blocks(String kind) {
        return BLOCK.matcher(page)
                .results()
                .filter(block -> block.group(1).equals(kind))
                .map(block -> block.group(2))
                .toList();
    }

    /** The commands of the first block that begins with {@code start}. */
    private List<String> block(String start) {
        return blocks("text").stream()
                .filter(text -> text.startsWith(start))
                .findFirst()
                .orElseThrow()
                .lines()
                .toList();
    }

    private String run(String command) {
        try (var shell = SpurProcess.start(
                List.of("bash", "-c", "cd '%s' && %s".formatted(ROOT, command.replace("./spur ", program + " "))),
                environment)) {
            SpurProcess.Result result = shell.awaitEnd();
            assertThat(result.status()).as("%s%n%s", command, result.output()).isZero();
            return result.output();
        } catch (Exception failure) {
            throw new IllegalStateException(command, failure);
        }
    }

    @Test
    void thePageHasBlocksOfEachKind() throws Exception {
        page = Files.readString(ROOT.resolve("docs/getting-started/tutorial-pytorch.md"));
        assertThat(Stream.of("python", "yaml", "text"))
                .allSatisfy(kind -> assertThat(blocks(kind)).isNotEmpty());
        assertThat(page).contains(FOLDER);
    }
}
