package dev.spur.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.model.round.PendingReason;
import dev.spur.service.database.postgres.TestDatabase;
import dev.spur.service.testing.Client;
import dev.spur.service.web.contract.ProblemType;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.DefaultValue;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** What the README and the other documents say, held against what there is. */
class ReadmeTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    /** Blocks that are commands for the demo; other commands and output are in blocks of other kinds. */
    private static final Pattern COMMANDS = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);
    /** The service, which this test starts itself, and the builds that run this test. */
    private static final Set<String> NOT_REPLAYED =
            Set.of("./spur serve --demo", "./mvnw verify", "./mvnw verify -Pfull");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(?:#([^)\\s]*))?\\)");
    private static final Pattern FENCE = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");

    /**
     * The blocks of one page run in their order, each in a shell of its own, so that each block works if copied alone.
     */
    @Nested
    @Tag("process")
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class Commands {
        private final TestDatabase database = TestDatabase.migrated();
        private SpurProcess demo;
        private String address;
        private Path frontDoor;

        @BeforeAll
        void startTheDemo(@TempDir Path folder) throws Exception {
            assumeTrue(has("bash") && has("curl"), "bash or curl is missing, so the commands are not replayed");
            frontDoor = SpurProcess.frontDoor(folder);
            demo = SpurProcess.start(database.environment(), "serve", "--demo", "--port", "0");
            address = demo.awaitLine("Spur is ready").replaceAll(".*(http://\\S+).*", "$1");
            awaitPlan(new Client(Integer.parseInt(address.replaceAll(".*:", ""))));
        }

        @AfterAll
        void stopTheDemo() throws Exception {
            if (demo != null) {
                demo.close();
            }
            database.close();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "README.md",
                    "docs/getting-started/tutorial-first-job.md",
                    "docs/how-to/debug-a-pending-job.md",
                    "docs/how-to/quotas-and-teams.md",
                    "docs/how-to/cost-of-a-gpu-hour.md",
                    "docs/how-to/webhooks.md",
                    "docs/how-to/reservations-and-maintenance.md"
                })
        void workAsWrittenNextToTheDemo(String page) throws Exception {
            List<String> commands = commands(page);
            assertThat(commands).isNotEmpty();
            for (String command : commands) {
                if (!NOT_REPLAYED.contains(command)) {
                    replay(command);
                }
            }
        }

        @Test
        void ofTheReadmeStartTheDemoAndTheBuild() throws Exception {
            assertThat(commands("README.md")).hasSizeGreaterThan(5).containsAll(NOT_REPLAYED);
        }

        @Test
        void ofThePythonClientWorkAsWritten() throws Exception {
            assumeTrue(has("python3"), "python3 is missing, so the sample is not run");
            String page = Files.readString(ROOT.resolve("docs/how-to/python.md"));
            String sample = page.substring(page.indexOf("from spur.client import"), page.indexOf("client.wait(job)"));

            replay("PYTHONPATH=python python3 - <<'END'\n" + sample + "client.cancel(job)\nEND");
        }

        private void replay(String command) throws Exception {
            String script = "set -euo pipefail\n"
                    + command.replace("http://127.0.0.1:8080", address)
                            .replace("first-plan.sh", "first-plan.sh " + address)
                            .replace("./spur ", frontDoor + " ")
                            .replace("curl ", "curl -s --fail-with-body ");
            try (var shell = SpurProcess.start(
                    List.of("env", "--unset=SPUR_TOKEN", "bash", "-c", "cd '%s'\n%s".formatted(ROOT, script)),
                    Map.of("SPUR_URL", address))) {
                SpurProcess.Result result = shell.awaitEnd();

                assertThat(result.status())
                        .as("%s%nprinted%n%s", command, result.output())
                        .isZero();
                assertThat(result.output()).as(command).isNotBlank().doesNotContain("WARN");
            }
        }

        private static void awaitPlan(Client client) throws Exception {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (System.nanoTime() < end) {
                var answer = client.get("/api/v1/plans/current?after=0&wait=5");
                if (answer.statusCode() == 200) {
                    JsonNode plan = Client.json(answer);
                    if (plan.path("running").size() > 2) {
                        return;
                    }
                }
                TimeUnit.MILLISECONDS.sleep(200);
            }
            throw new AssertionError("no plan of the demo in time");
        }

        private static boolean has(String program) {
            return Stream.of(System.getenv("PATH").split(":"))
                    .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
        }
    }

    @Nested
    class TheReferenceOfCommands {
        @Test
        void namesEverySubcommandAndNoOther() throws Exception {
            String help = Spur.commandLine().getUsageMessage(CommandLine.Help.Ansi.OFF);
            List<String> named = Pattern.compile("\\| `\\./spur ([a-z-]+)")
                    .matcher(Files.readString(ROOT.resolve("docs/reference/cli.md")))
                    .results()
                    .map(found -> found.group(1))
                    .toList();

            assertThat(named).contains("serve", "solve", "bench").allMatch(help::contains);
            Pattern.compile("^  ([a-z-]+)(?: |$)", Pattern.MULTILINE)
                    .matcher(help)
                    .results()
                    .forEach(found -> assertThat(named).contains(found.group(1)));
        }
    }

    @Nested
    class TheListOfSettings {
        @ParameterizedTest
        @CsvSource({
            "spur.rounds, dev.spur.service.rounds.RoundProperties",
            "spur.long-polls, dev.spur.service.web.LongPollProperties",
            "spur.events, dev.spur.service.feeds.EventHub$EventProperties",
            "spur.webhooks, dev.spur.service.feeds.WebhookProperties",
            "spur.security, dev.spur.service.web.access.SecurityProperties",
            "spur.retention, dev.spur.service.database.RetentionJob$RetentionProperties",
            "spur.executors, dev.spur.service.executors.ExecutorProperties",
            "spur.etas, dev.spur.service.questions.Estimator$EtaProperties",
            "spur.connectors, dev.spur.service.connectors.ConnectorProperties",
            "spur.long-polls, dev.spur.service.web.LongPollProperties",
            "spur.security.rate, dev.spur.service.web.access.RateProperties",
            "spur.security.oidc, dev.spur.service.web.access.OidcProperties",
            "spur.solve, dev.spur.service.questions.SolveProperties"
        })
        void namesEachWithItsDefault(String prefix, Class<?> properties) throws Exception {
            String document = Files.readString(ROOT.resolve("docs/reference/configuration.md"));

            for (Parameter setting : properties.getDeclaredConstructors()[0].getParameters()) {
                String name = setting.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
                String fallback = setting.getAnnotation(DefaultValue.class).value()[0];
                fallback = fallback.isEmpty() ? "| none |" : "| `%s` |".formatted(fallback);
                assertThat(document).contains("| `%s.%s` %s".formatted(prefix, name, fallback));
            }
        }
    }

    @Nested
    class TheFormulation {
        @Test
        void namesConstraintsAsTheirMethodsAreNamed() throws Exception {
            String document = Files.readString(ROOT.resolve("docs/model/formulation.md"));
            String constraints =
                    document.substring(document.indexOf("## Constraints"), document.indexOf("## Hard commitments"));
            Set<String> methods = new TreeSet<>();
            for (MatchResult heading :
                    Pattern.compile("### (.*)").matcher(constraints).results().toList()) {
                for (String name : heading.group(1).split(", ", -1)) {
                    for (Method method :
                            Class.forName("dev.spur.solver.program." + name).getDeclaredMethods()) {
                        methods.add(method.getName());
                    }
                }
            }

            assertThat(Pattern.compile("(?m)^- `(\\w+)`")
                            .matcher(constraints)
                            .results()
                            .map(found -> found.group(1)))
                    .hasSizeGreaterThan(10)
                    .isSubsetOf(methods);
        }
    }

    @Nested
    class TheReference {
        @Test
        void namesEveryPendingReason() throws Exception {
            String document = Files.readString(ROOT.resolve("docs/reference/pending-reasons.md"));

            assertThat(PendingReason.values())
                    .allSatisfy(reason -> assertThat(document).contains("| `" + reason + "` |"));
        }

        @Test
        void namesEveryProblemType() throws Exception {
            String document = Files.readString(ROOT.resolve("docs/reference/problem-types.md"));

            assertThat(ProblemType.values())
                    .allSatisfy(type -> assertThat(document).contains("| `" + type.uri() + "` |"));
        }
    }

    @Nested
    class Links {
        @Test
        void leadToFilesAndHeadings() throws Exception {
            List<Path> documents = documents();
            assertThat(documents).hasSizeGreaterThan(10);
            List<String> broken = new ArrayList<>();
            for (Path document : documents) {
                String text = FENCE.matcher(Files.readString(document)).replaceAll("");
                for (MatchResult link : LINK.matcher(text).results().toList()) {
                    if (!leads(document, link.group(1), link.group(2))) {
                        broken.add(ROOT.relativize(document) + ": " + link.group());
                    }
                }
            }
            assertThat(broken).isEmpty();
        }

        private static boolean leads(Path document, String file, String anchor) throws IOException {
            if (file.startsWith("https://")) {
                return true;
            }
            Path target = file.isEmpty() ? document : document.resolveSibling(file);
            return Files.exists(target)
                    && (anchor == null || anchors(Files.readString(target)).contains(anchor));
        }

        /** Anchors of all headings, formed as GitHub forms them. */
        private static Set<String> anchors(String text) {
            Set<String> anchors = new TreeSet<>();
            HEADING.matcher(FENCE.matcher(text).replaceAll("")).results().forEach(heading -> {
                String anchor = heading.group(1)
                        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                        .strip()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-');
                for (int copy = 1; !anchors.add(copy == 1 ? anchor : anchor + "-" + (copy - 1)); copy++) {
                    assertThat(copy).isLessThan(100);
                }
            });
            return anchors;
        }
    }

    private static List<Path> documents() throws IOException {
        List<Path> found = new ArrayList<>();
        for (String name : List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "examples", "db")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(name))) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(found::add);
            }
        }
        return found;
    }

    private static List<String> commands(String page) throws IOException {
        return COMMANDS.matcher(Files.readString(ROOT.resolve(page)))
                .results()
                .map(found -> found.group(1).strip())
                .toList();
    }
}
