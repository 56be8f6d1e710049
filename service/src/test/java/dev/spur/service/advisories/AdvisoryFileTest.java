package dev.spur.service.advisories;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.time.ZoneOffset.UTC;
import static java.time.temporal.ChronoUnit.DAYS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.spur.service.advisories.AdvisoryFile.Acceptance;
import dev.spur.service.advisories.AdvisoryFile.Library;
import dev.spur.service.advisories.AdvisoryFile.Violation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

/**
 * Spur has no library with an advisory in {@code .ci/advisories.json} that is not accepted there, and each library is
 * in a family of that file.
 */
class AdvisoryFileTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    /** A line of the goal dependency:list, for example {@code group:artifact:jar:1.0:compile}. */
    private static final Pattern DEPENDENCY =
            Pattern.compile("(?m)^ +([\\w.-]+:[\\w.-]+):jar:(?:[\\w.-]+:)?([\\w.-]+):(?:compile|runtime|provided)\\b");

    private static final long MAX_AGE_DAYS = 90;

    private static final String EXAMPLE = """
            {"collected": "2026-12-01",
             "families": [{"name": "Example", "query": "own", "newest": "2026-11-19", "packages": ["org.example:*"]}],
             "advisories": [ADVISORY]}
            """;

    private static final String ADVISORY = """
            {"id": "CVE-1", "published": "2026-11-19", "summary": "Open redirect",
             "affected": [{"package": {"ecosystem": "Maven", "name": "org.example:server"},
                           "ranges": [{"type": "ECOSYSTEM", "events": [
                               {"introduced": "11.0.0-M1"}, {"fixed": "11.0.29"}, {"introduced": "12"}, {"last_affected": "12.3"}]}]}],
             "references": [{"type": "ADVISORY", "url": "https://example.org/CVE-1"}]}
            """;

    private final AdvisoryFile example =
            new AdvisoryFile(new JsonMapper().readTree(EXAMPLE.replace("ADVISORY", ADVISORY)));

    private final AdvisoryFile file = AdvisoryFile.read(ROOT.resolve(".ci/advisories.json"));

    @Test
    void noLibraryHasAnAdvisoryThatIsNotAccepted() throws Exception {
        List<Violation> open = new ArrayList<>(violations());
        for (Acceptance acceptance : file.acceptances()) {
            open.removeIf(acceptance::covers);
        }

        assertThat(open)
                .extracting(Violation::message)
                .as("Upgrade these libraries")
                .isEmpty();
    }

    @Test
    void eachAcceptanceIsPrintedAndNeeded() throws Exception {
        for (Acceptance acceptance : file.acceptances()) {
            List<Violation> accepted =
                    violations().stream().filter(acceptance::covers).toList();

            assertThat(accepted).as("Delete this acceptance: " + acceptance).isNotEmpty();
            System.out.printf("Accepted: %s. %s%n", accepted.get(0).message(), acceptance.reason());
        }
    }

    @Test
    void eachLibraryIsInAFamily() throws Exception {
        assertThat(libraries())
                .hasSizeGreaterThan(100)
                .filteredOn(library -> !file.has(library))
                .as("Search for advisories on these libraries, then add them to .ci/advisories.json")
                .isEmpty();
    }

    @Test
    void theAgeOfTheFileIsPrintedAndWarnsAfter90Days() {
        System.out.println(age(file.collected(), LocalDate.now(UTC)));

        LocalDate day = LocalDate.of(2026, 12, 1);
        assertThat(age(day, day.plusDays(90))).isEqualTo("Advisories of 2026-12-01: 90 days old");
        assertThat(age(day, day.plusDays(91))).contains("91 days old", "WARNING");
    }

    private static String age(LocalDate collected, LocalDate today) {
        long days = DAYS.between(collected, today);
        return "Advisories of %s: %d days old%s"
                .formatted(collected, days, days > MAX_AGE_DAYS ? ". WARNING: renew .ci/advisories.json" : "");
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.62,    false",
        "11.0.0-M1,  true",
        "11.0.9,     true",
        "11.0.28,    true",
        "11.0.29,    false",
        "11.0.29-M1, true",
        "11.1,       false",
        "12.0.0,     true",
        "12.3.0,     true",
        "12.3.1,     false"
    })
    void anAffectedVersionIsReportedAndTheFixIsNot(String version, boolean affected) {
        List<Violation> violations = example.violations(new Library("org.example:server", version));

        assertThat(violations).hasSize(affected ? 1 : 0);
        assertThat(example.violations(new Library("org.example:client", version)))
                .isEmpty();
    }

    @Test
    void aViolationNamesLibraryVersionAdvisoryFixAndSource() {
        assertThat(example.violations(new Library("org.example:server", "11.0.28")))
                .extracting(Violation::message)
                .containsExactly(
                        "org.example:server 11.0.28: CVE-1, Open redirect (fixed in 11.0.29, last affected 12.3), "
                                + "https://example.org/CVE-1");
    }

    @Test
    void aLibraryOfNoFamilyIsReported() {
        assertThat(example.has(new Library("org.example:client", "1.0"))).isTrue();
        assertThat(example.has(new Library("org.example.other:client", "1.0"))).isFalse();
    }

    @Test
    void anAcceptanceIsForOneVersion() {
        Acceptance acceptance = new Acceptance(StringNode.valueOf("org.example:*"), "11.0.28", "CVE-1", "no fix");

        assertThat(example.violations(new Library("org.example:server", "11.0.28")))
                .allMatch(acceptance::covers);
        assertThat(example.violations(new Library("org.example:server", "11.0.27")))
                .noneMatch(acceptance::covers);
    }

    /** The record replaces the one that it has as an alias. A record on another library is left out. */
    @Test
    void aDumpOfOsvRenewsTheFile(@TempDir Path folder) throws Exception {
        assumeTrue(hasPython(), "python3 is missing, so no dump of OSV is read");
        Path script = Files.copy(ROOT.resolve(".ci/advisories"), folder.resolve("advisories"), COPY_ATTRIBUTES);
        Path copy = Files.writeString(
                folder.resolve("advisories.json"),
                EXAMPLE.replace("ADVISORY", ADVISORY + "," + ADVISORY.replace("CVE-1", "CVE-2")));
        String record = ADVISORY.replace(
                        "\"CVE-1\"", "\"GHSA-1\", \"aliases\": [\"CVE-1\"], \"modified\": \"2027-01-02T00:00:00Z\"")
                .replace("11.0.29", "11.0.30");
        Path dump = folder.resolve("all.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(dump))) {
            for (String name : List.of("org.example:server", "org.other:server")) {
                zip.putNextEntry(new ZipEntry(name.replaceAll(":.*", "") + ".json"));
                zip.write(record.replace("org.example:server", name).getBytes(StandardCharsets.UTF_8));
            }
        }

        Process process = new ProcessBuilder("python3", script.toString(), dump.toString())
                .redirectErrorStream(true)
                .start();

        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        AdvisoryFile renewed = AdvisoryFile.read(copy);
        assertThat(renewed.collected()).isEqualTo(LocalDate.of(2027, 1, 2));
        assertThat(renewed.violations(new Library("org.example:server", "11.0.28")))
                .flatExtracting(Violation::ids)
                .containsExactly("GHSA-1", "CVE-1", "CVE-2");
        assertThat(renewed.violations(new Library("org.example:server", "11.0.29")))
                .flatExtracting(Violation::ids)
                .containsExactly("GHSA-1", "CVE-1");
        assertThat(renewed.violations(new Library("org.other:server", "11.0.28")))
                .isEmpty();
    }

    private List<Violation> violations() throws IOException {
        return libraries().stream()
                .flatMap(library -> file.violations(library).stream())
                .toList();
    }

    private static boolean hasPython() throws InterruptedException {
        try {
            return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
        } catch (IOException missing) {
            return false;
        }
    }

    /** Returns the libraries of the service and of its pages, without modules of Spur. */
    private static List<Library> libraries() throws IOException {
        List<Library> libraries = new ArrayList<>();
        DEPENDENCY
                .matcher(Files.readString(Path.of("target/libraries.txt")))
                .results()
                .filter(match -> !match.group(1).startsWith("dev.spur:"))
                // The advisories on this one name the package of npm.
                .map(match ->
                        new Library(match.group(1).replace("org.webjars:swagger-ui", "swagger-ui"), match.group(2)))
                .forEach(libraries::add);
        libraries.add(packaged("echarts", "<echarts.version>(.*)<", Files.readString(ROOT.resolve("pom.xml"))));
        libraries.add(packaged("dompurify", "@license DOMPurify (\\S+)", licensesOfSwaggerUi()));
        return libraries;
    }

    private static Library packaged(String name, String version, String text) {
        Matcher matcher = Pattern.compile(version).matcher(text);
        assertThat(matcher.find()).as("version of " + name).isTrue();
        return new Library(name, matcher.group(1));
    }

    private static String licensesOfSwaggerUi() throws IOException {
        String file = "classpath*:META-INF/resources/webjars/swagger-ui/*/swagger-ui-bundle.js.LICENSE.txt";
        try (InputStream licenses = new PathMatchingResourcePatternResolver().getResources(file)[0].getInputStream()) {
            return new String(licenses.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
