package dev.spur.service.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.spur.service.rounds.RoundObserver;
import dev.spur.service.rounds.RoundObserver.RoundReport;
import dev.spur.service.rounds.TestRounds;
import dev.spur.service.testing.ServiceTest;
import dev.spur.solver.policy.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;

/** Dashboards, alerts and manifests name what is there. */
class MonitoringTest extends ServiceTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern METRIC = Pattern.compile("\\b(?:spur|http_server|jvm|hikaricp|process)_[a-z_]+\\b");

    @Autowired
    private TestRounds rounds;

    @Autowired
    private List<RoundObserver> observers;

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"monitoring/alerts.yaml", "monitoring/grafana-dashboard.json"})
    void everyMetricThatIsWatchedIsThere(String file) throws Exception {
        world.node("n1", 4);
        world.job(2);
        policy.use(Policies.spur()::plan);
        rounds.begin();
        RoundReport report = rounds.run();
        observers.forEach(observer -> observer.onEnd(report));
        awaitFeed();
        assertThat(client().get("/api/v1/plans/current").statusCode()).isEqualTo(200);

        Set<String> there = found(METRIC, client().get("/metrics").body());

        Set<String> watched = found(METRIC, Files.readString(ROOT.resolve(file)));
        assertThat(watched).hasSizeGreaterThan(5);
        assertThat(there).containsAll(watched);
    }

    @Test
    void everyAlertLeadsToWhatToDo() throws IOException {
        String rules = Files.readString(ROOT.resolve("monitoring/alerts.yaml"));
        Set<String> anchors = found(Pattern.compile("(?<=runbook: docs/operations/runbooks.md#)[a-z0-9-]+"), rules);

        Set<String> headings = Files.readAllLines(ROOT.resolve("docs/operations/runbooks.md")).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceAll("^#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 -]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());

        assertThat(anchors)
                .hasSize(Pattern.compile("- alert:").splitAsStream(rules).toArray().length - 1);
        assertThat(headings).containsAll(anchors);
    }

    @Test
    void probesOfTheManifestAreAnswered() throws Exception {
        String manifest = Files.readString(ROOT.resolve("packaging/kubernetes/spur.yaml"));

        for (String path : found(Pattern.compile("(?<=httpGet: \\{path: )[a-z/]+"), manifest)) {
            assertThat(client().get(path).statusCode()).as(path).isEqualTo(200);
        }
    }
}
