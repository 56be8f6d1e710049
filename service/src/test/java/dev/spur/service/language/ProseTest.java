package dev.spur.service.language;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The prose of the repository follows {@link Prose} on every surface that a user or a maintainer reads. */
class ProseTest {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @Test
    void documentsUseTheTermsOfTheField() throws Exception {
        List<String> found = new ArrayList<>();
        for (Path file : documents()) {
            MarkdownPassages.of(ROOT, file).forEach(passage -> found.addAll(Prose.violations(passage)));
            found.addAll(MarkdownPassages.longLines(ROOT, file));
        }
        assertThat(found).isEmpty();
    }

    @Test
    void theContractUsesTheTermsOfTheField() throws Exception {
        List<String> found = new ArrayList<>();
        for (String file : List.of("openapi.yaml", "service/src/main/resources/application.yaml")) {
            TextPassages.yaml(ROOT, ROOT.resolve(file)).forEach(passage -> found.addAll(Prose.violations(passage)));
        }
        for (Path file : files("monitoring", ".yaml")) {
            TextPassages.yaml(ROOT, file).forEach(passage -> found.addAll(Prose.violations(passage)));
        }
        assertThat(found).isEmpty();
    }

    @Test
    void theDashboardUsesTheTermsOfTheField() throws Exception {
        List<String> found = new ArrayList<>();
        for (Path file : files("service/src/main/resources/static/ui", ".js")) {
            TextPassages.script(ROOT, file).forEach(passage -> found.addAll(Prose.violations(passage)));
        }
        assertThat(found).isEmpty();
    }

    @Test
    void migrationsAndScriptsUseTheTermsOfTheField() throws Exception {
        List<String> found = new ArrayList<>();
        for (Path file : files("db/migrations", ".sql")) {
            TextPassages.comments(ROOT, file, "--").forEach(passage -> found.addAll(Prose.violations(passage)));
        }
        for (String folder : List.of("examples", "packaging", "python", ".ci")) {
            for (Path file : files(folder, ".sh", ".py", "run", ".service")) {
                TextPassages.comments(ROOT, file, "#").forEach(passage -> found.addAll(Prose.violations(passage)));
                TextPassages.literals(ROOT, file).forEach(passage -> found.addAll(Prose.violations(passage)));
            }
        }
        assertThat(found).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("dev.spur.service.testing.MavenModules#ALL")
    void commentsAndMessagesOfAModuleUseTheTermsOfTheField(String module) throws Exception {
        List<String> found = new ArrayList<>();
        for (Path file : files(module + "/src/main/java", ".java")) {
            JavaPassages.of(ROOT, file).forEach(passage -> found.addAll(Prose.violations(passage)));
            found.addAll(JavaPassages.longLines(ROOT, file));
        }
        assertThat(found).isEmpty();
    }

    static List<Path> documents() throws IOException {
        List<Path> all = new ArrayList<>(files("docs", ".md"));
        for (String name : List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "db/migrations/README.md")) {
            all.add(ROOT.resolve(name));
        }
        all.addAll(files("examples", ".md"));
        return all;
    }

    static List<Path> files(String folder, String... endings) throws IOException {
        try (Stream<Path> walk = Files.walk(ROOT.resolve(folder))) {
            return walk.filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        }
    }
}
